package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import io.waybill.command.CommandHandler;
import io.waybill.command.DomainCommand;
import io.waybill.command.HandlerCandidate;
import io.waybill.process.ProcessConfiguration;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

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

    /** Makes them all, so that one that cannot be made fails the start and not its first command. */
    void makeAll() {
        found.forEach(beans::getBean);
    }

    private HandlerCandidate candidate(BeanDefinition<?> bean) {
        return HandlerCandidate.later(
                () -> beans.getBean(bean), Singletons.implementation(bean), bean instanceof AdvisedBeanType);
    }

    private static boolean handles(Class<?> type) {
        return !ProcessConfiguration.class.isAssignableFrom(type)
                && (Arrays.stream(type.getMethods()).anyMatch(HandlerBeans::takesACommand)
                        || Arrays.stream(type.getDeclaredMethods())
                                .anyMatch(method -> method.isAnnotationPresent(CommandHandler.class)));
    }

    private static boolean takesACommand(Method method) {
        return !Modifier.isStatic(method.getModifiers())
                && method.getParameterCount() == 1
                && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0]);
    }
}
