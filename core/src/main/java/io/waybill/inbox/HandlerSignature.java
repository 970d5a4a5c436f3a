package io.waybill.inbox;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Whether a method can handle messages: its transaction commits when it returns, and nobody hears of what it does afterwards. */
public final class HandlerSignature {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** By name: none of their libraries needs to be there. */
    private static final Set<String> ASYNCHRONOUS = Set.of(
            "org.springframework.scheduling.annotation.Async",
            "io.micronaut.scheduling.annotation.Async",
            "jakarta.ejb.Asynchronous");

    private static final Set<String> LATER = Set.of(
            "java.util.concurrent.CompletionStage", "org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow");

    private HandlerSignature() {}

    /** Why it cannot, with the remedy. */
    public static Optional<String> problem(Method method) {
        if (isSuspending(method)) {
            return Optional.of("it is a suspend function, which returns before it is done. Make it an ordinary one.");
        }
        if (returnsLater(method.getReturnType())) {
            return Optional.of("it returns a " + method.getReturnType().getSimpleName()
                    + ": its message would count as handled before it is, and its exception be lost. Do the work in the"
                    + " method itself, and return nothing or the result.");
        }
        if (isAsynchronous(method)) {
            return Optional.of(
                    "@Async lets it run in another thread: its message would count as handled before it is, and"
                            + " its exception be lost. Remove @Async; handlers have threads of their own.");
        }
        return Optional.empty();
    }

    /** A function of Kotlin that takes this many parameters in its source, and one more in its class. */
    public static boolean isSuspending(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals(CONTINUATION);
    }

    private static boolean isAsynchronous(Method method) {
        return Stream.concat(
                        Stream.of(method.getAnnotations()),
                        Stream.of(method.getDeclaringClass().getAnnotations()))
                .anyMatch(annotation ->
                        ASYNCHRONOUS.contains(annotation.annotationType().getName()));
    }

    private static boolean returnsLater(Class<?> type) {
        return Future.class.isAssignableFrom(type) || isNamed(type);
    }

    private static boolean isNamed(Class<?> type) {
        return LATER.contains(type.getName())
                || Stream.of(type.getInterfaces()).anyMatch(HandlerSignature::isNamed)
                || (type.getSuperclass() != null && isNamed(type.getSuperclass()));
    }
}
