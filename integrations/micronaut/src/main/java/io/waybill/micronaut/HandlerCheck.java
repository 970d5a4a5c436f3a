package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.NoSuchBeanException;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.transaction.TransactionDefinition.Isolation;
import io.micronaut.transaction.TransactionDefinition.Propagation;
import io.micronaut.transaction.annotation.Transactional;
import io.waybill.inbox.HandlerSignature;
import io.waybill.inbox.ReferencedClasses;
import io.waybill.micronaut.settings.MicronautProblems;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether the methods that handle messages can do it. What would fail with the first message, or be lost, is refused at the start. */
@Singleton
final class HandlerCheck {

    private final BeanContext beans;
    private final Singletons singletons;

    HandlerCheck(BeanContext beans, Singletons singletons) {
        this.beans = beans;
        this.singletons = singletons;
    }

    /** Looks at what is known before any bean is made: they may need Waybill. */
    void look(MicronautProblems problems) {
        singletons.others(HandlerCheck::handles).forEach(bean -> {
            Class<?> type = Singletons.implementation(bean);
            methods(type)
                    .forEach(method -> refuse(
                            type,
                            method,
                            "its bean is not a singleton ("
                                    + bean.getScopeName()
                                            .map(HandlerCheck::simple)
                                            .orElse("no scope")
                                    + "), and a message is no request. Put @Singleton on the class, or move the method to one.",
                            problems));
        });
        singletons.of(HandlerCheck::handles).forEach(bean -> {
            Class<?> type = Singletons.implementation(bean);
            methods(type)
                    .forEach(method -> HandlerSignature.problem(method)
                            .or(() -> transaction(type, method))
                            .ifPresent(problem -> refuse(type, method, problem, problems)));
        });
    }

    /** Handlers of beans whose factories speak of an interface only, so that nobody has found them. Those beans are made for it. */
    void lookForHidden(MicronautProblems problems) {
        for (BeanDefinition<?> bean : singletons.declaredAsSupertypes()) {
            made(bean).ifPresent(type -> refuseHidden(Singletons.implementation(bean), type, problems));
        }
    }

    /** The same without making a bean, from the class files of their factories: asked when the start is refused anyway. */
    void lookForHiddenInFactories(MicronautProblems problems) {
        for (BeanDefinition<?> bean : singletons.declaredAsSupertypes()) {
            Class<?> declared = Singletons.implementation(bean);
            bean.getDeclaringType().stream()
                    .flatMap(ReferencedClasses::of)
                    .filter(type -> declared.isAssignableFrom(type)
                            && !Modifier.isAbstract(type.getModifiers())
                            && singletons.of(type::equals).isEmpty())
                    .forEach(type -> refuseHidden(declared, type, problems));
        }
    }

    private static void refuseHidden(Class<?> declared, Class<?> type, MicronautProblems problems) {
        methods(type)
                .filter(method -> methods(declared).noneMatch(known -> isSame(known, method)))
                .forEach(method -> refuse(
                        type,
                        method,
                        "its factory returns " + declared.getSimpleName()
                                + ", which does not show this method, so that it would never get a message. Let it return "
                                + type.getSimpleName() + ".",
                        problems));
    }

    private Optional<Class<?>> made(BeanDefinition<?> bean) {
        try {
            return Optional.of(beans.getBean(bean).getClass());
        } catch (NoSuchBeanException e) {
            return Optional.empty();
        }
    }

    private static void refuse(Class<?> type, Method method, String why, MicronautProblems problems) {
        problems.add(type.getName() + "." + method.getName() + ": " + why);
    }

    private static boolean handles(Class<?> type) {
        return methods(type).findAny().isPresent();
    }

    private static Stream<Method> methods(Class<?> type) {
        return Stream.of(HandlerBeans.methods(type), SubscriberBeans.methods(type))
                .flatMap(each -> each)
                .distinct();
    }

    private static boolean isSame(Method one, Method other) {
        return one.getName().equals(other.getName())
                && List.of(one.getParameterTypes()).equals(Arrays.asList(other.getParameterTypes()));
    }

    private static Optional<String> transaction(Class<?> type, Method method) {
        @Nullable Transactional own = method.getAnnotation(Transactional.class);
        @Nullable Transactional said = own == null ? type.getAnnotation(Transactional.class) : own;
        if (said == null) {
            return Optional.empty();
        }
        if (said.propagation() == Propagation.NEVER) {
            return Optional.of("@Transactional wants no transaction (NEVER), and handlers run inside of one.");
        }
        boolean joins =
                said.propagation() != Propagation.REQUIRES_NEW && said.propagation() != Propagation.NOT_SUPPORTED;
        return joins && said.isolation() != Isolation.DEFAULT
                ? Optional.of(
                        "@Transactional asks for an isolation that it would not get: it joins the transaction that takes"
                                + " its message. Remove isolation, lock the rows that matter, or set the isolation of the data source.")
                : Optional.empty();
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
