package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Predicate;

/** The singletons of the application, and which instance of Waybill they belong to. None of them is made by looking. */
@Singleton
final class Singletons {

    private final List<BeanDefinition<?>> all;

    Singletons(BeanContext beans) {
        all = beans.getAllBeanDefinitions().stream()
                .filter(Singletons::isOfTheApplication)
                .toList();
    }

    /** Those of which the class that somebody wrote is like this. */
    List<BeanDefinition<?>> of(Predicate<Class<?>> like) {
        return all.stream().filter(bean -> isLike(bean, like)).toList();
    }

    private static boolean isLike(BeanDefinition<?> bean, Predicate<Class<?>> like) {
        try {
            return like.test(implementation(bean));
        } catch (LinkageError e) {
            // A bean of a library whose optional parts are not here has nothing for us.
            return false;
        }
    }

    private static boolean isOfTheApplication(BeanDefinition<?> bean) {
        String name = implementation(bean).getName();
        return bean.isSingleton() && !bean.isAbstract() && !name.startsWith("io.micronaut.");
    }

    /** The class that somebody wrote, whatever is wrapped around it. */
    static Class<?> implementation(BeanDefinition<?> bean) {
        return bean instanceof AdvisedBeanType<?> advised ? advised.getInterceptedType() : bean.getBeanType();
    }

    /** Whether a class works on this data source: what does not say so works on the primary one. */
    static boolean isOn(Class<?> type, String dataSource, boolean primary) {
        OnDataSource chosen = type.getAnnotation(OnDataSource.class);
        return chosen == null ? primary : chosen.value().equals(dataSource);
    }
}
