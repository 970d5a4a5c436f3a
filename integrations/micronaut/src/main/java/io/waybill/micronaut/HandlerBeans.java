package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import io.waybill.command.CommandHandler;
import io.waybill.command.DomainCommand;
import io.waybill.command.handler.HandlerCandidate;
import io.waybill.inbox.HandlerSignature;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The singletons that have a method for a command. They are made when Waybill runs, because they may inject it. */
@Singleton
final class HandlerBeans {

    private static final String CONTROLLER = "io.micronaut.http.annotation.Controller";

    private final BeanContext beans;
    private final List<BeanDefinition<?>> found;

    HandlerBeans(BeanContext beans, Singletons singletons) {
        this.beans = beans;
        this.found = singletons.of(HandlerBeans::handles).stream()
                .filter(bean -> !bean.hasStereotype(CONTROLLER))
                .toList();
    }

    List<HandlerCandidate> candidates(String dataSource, boolean primary) {
        return found.stream()
                .filter(bean -> Singletons.isOn(Singletons.implementation(bean), dataSource, primary))
                .map(this::candidate)
                .toList();
    }

    Stream<Class<?>> types() {
        return found.stream().map(Singletons::implementation);
    }

    /** Makes them all, so that one that cannot be made fails the start and not its first command. */
    void makeAll() {
        found.forEach(beans::getBean);
    }

    private HandlerCandidate candidate(BeanDefinition<?> bean) {
        return HandlerCandidate.later(
                () -> beans.getBean(bean), Singletons.implementation(bean), bean instanceof AdvisedBeanType);
    }

    private static boolean handles(Class<?> type) {
        return Arrays.stream(type.getMethods()).anyMatch(HandlerBeans::takesACommand)
                || Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method -> method.isAnnotationPresent(CommandHandler.class));
    }

    /** Those that handle commands, and those that are meant to and cannot. */
    static Stream<Method> methods(Class<?> type) {
        if (isController(type)) {
            return Stream.empty();
        }
        return Stream.concat(
                HandlerCandidate.later(() -> type, type, true).methods().stream(),
                Arrays.stream(type.getMethods())
                        .filter(method -> method.getParameterCount() == 2
                                && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0])
                                && HandlerSignature.isSuspending(method)));
    }

    private static boolean isController(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(CONTROLLER));
    }

    private static boolean takesACommand(Method method) {
        return !Modifier.isStatic(method.getModifiers())
                && method.getParameterCount() == 1
                && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0]);
    }
}
