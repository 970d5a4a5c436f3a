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

    HandlerBeans(BeanContext beans) {
        this.beans = beans;
        this.found = beans.getAllBeanDefinitions().stream()
                .filter(HandlerBeans::handles)
                .toList();
    }

    List<HandlerCandidate> candidates() {
        return found.stream().map(this::candidate).toList();
    }

    /** Makes them all, so that one that cannot be made fails the start and not its first command. */
    void makeAll() {
        found.forEach(beans::getBean);
    }

    private HandlerCandidate candidate(BeanDefinition<?> bean) {
        return HandlerCandidate.later(() -> beans.getBean(bean), implementation(bean), bean instanceof AdvisedBeanType);
    }

    private static Class<?> implementation(BeanDefinition<?> bean) {
        return bean instanceof AdvisedBeanType<?> advised ? advised.getInterceptedType() : bean.getBeanType();
    }

    private static boolean handles(BeanDefinition<?> bean) {
        Class<?> type = implementation(bean);
        return bean.isSingleton()
                && !bean.isAbstract()
                && !type.getName().startsWith("io.micronaut.")
                && !bean.hasStereotype(CONTROLLER)
                && !ProcessConfiguration.class.isAssignableFrom(type)
                && hasHandler(type);
    }

    private static boolean hasHandler(Class<?> type) {
        try {
            return Arrays.stream(type.getMethods()).anyMatch(HandlerBeans::takesACommand)
                    || Arrays.stream(type.getDeclaredMethods())
                            .anyMatch(method -> method.isAnnotationPresent(CommandHandler.class));
        } catch (LinkageError e) {
            // A bean of a library whose optional parts are not here has no commands of this application.
            return false;
        }
    }

    private static boolean takesACommand(Method method) {
        return !Modifier.isStatic(method.getModifiers())
                && method.getParameterCount() == 1
                && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0]);
    }
}
