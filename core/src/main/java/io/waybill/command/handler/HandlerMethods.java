package io.waybill.command.handler;

import io.waybill.WaybillException;
import io.waybill.command.CommandHandler;
import io.waybill.command.CommandTypes;
import io.waybill.command.DomainCommand;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the methods of a bean that handle commands: public ones with exactly one parameter, a command, and annotated
 * ones; also those that it inherits from classes and interfaces.
 */
final class HandlerMethods {

    private static final MethodType COMMAND_TO_RESULT = MethodType.methodType(Object.class, Object.class);

    private HandlerMethods() {}

    /** A method that may handle a type of command. */
    record Found(HandlerCandidate candidate, Method method, Class<? extends DomainCommand> command) {

        String type() {
            return CommandTypes.of(command);
        }

        boolean annotated() {
            return method.isAnnotationPresent(CommandHandler.class);
        }

        /** Class and method with their full names, and the command's: two classes may differ in their packages only. */
        String description() {
            return candidate.implementation().getName() + "." + method.getName() + "(" + command.getName() + ")";
        }

        Implementation identity() {
            return new Implementation(candidate.implementation(), method);
        }

        RegisteredHandler bind() {
            return candidate.bean() instanceof HandlerCandidate.Later later
                    ? new RegisteredHandler(type(), command, new LaterCall(this, later.bean()), description())
                    : new RegisteredHandler(type(), command, callOn(candidate.bean()), description());
        }

        HandlerCall callOn(Object bean) {
            try {
                Method called = calledOn(bean);
                called.setAccessible(true);
                MethodHandle handle =
                        MethodHandles.lookup().unreflect(called).bindTo(bean).asType(COMMAND_TO_RESULT);
                return given -> (Object) handle.invokeExact((Object) given);
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new WaybillException(
                        "The handler " + description() + " of " + type() + " cannot be called: " + e.getMessage()
                                + ". Make the method public, and open its package to Waybill if it is in a module.",
                        e);
            }
        }

        /** The bean's own version of the method: that of a proxy opens the transaction. */
        private Method calledOn(Object bean) throws NoSuchMethodException {
            return Modifier.isPublic(method.getModifiers())
                    ? bean.getClass().getMethod(method.getName(), method.getParameterTypes())
                    : method;
        }
    }

    /** What makes two handlers the same: a bean and its proxy are. */
    record Implementation(Class<?> type, Method method) {}

    /** A method of a bean that is asked for with the first command. */
    private static final class LaterCall implements HandlerCall {

        private final Found found;
        private final Supplier<?> bean;
        private volatile @Nullable HandlerCall call;

        LaterCall(Found found, Supplier<?> bean) {
            this.found = found;
            this.bean = bean;
        }

        @Override
        public @Nullable Object handle(DomainCommand command) throws Throwable {
            HandlerCall bound = call;
            if (bound == null) {
                bound = found.callOn(bean.get());
                call = bound;
            }
            return bound.handle(command);
        }
    }

    static List<Found> in(HandlerCandidate candidate) {
        var found = new ArrayList<Found>();
        for (Class<?> type = candidate.implementation();
                type != null && type != Object.class;
                type = type.getSuperclass()) {
            add(candidate, type.getDeclaredMethods(), method -> true, found);
        }
        add(candidate, candidate.implementation().getMethods(), Method::isDefault, found);
        return found;
    }

    private static void add(HandlerCandidate candidate, Method[] methods, Predicate<Method> which, List<Found> found) {
        Arrays.stream(methods)
                .filter(which.and(HandlerMethods::mayHandle))
                .sorted(Comparator.comparing(Method::getName))
                .map(method ->
                        new Found(candidate, method, method.getParameterTypes()[0].asSubclass(DomainCommand.class)))
                .filter(method -> found.stream().noneMatch(other -> overrides(other, method)))
                .forEach(found::add);
    }

    private static boolean mayHandle(Method method) {
        boolean visible = Modifier.isPublic(method.getModifiers()) || method.isAnnotationPresent(CommandHandler.class);
        return visible
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && method.getParameterCount() == 1
                && method.getParameterTypes()[0] != DomainCommand.class
                && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0]);
    }

    private static boolean overrides(Found sub, Found method) {
        return sub.method.getName().equals(method.method.getName()) && sub.command == method.command;
    }
}
