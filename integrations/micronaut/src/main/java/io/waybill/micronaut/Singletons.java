package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import jakarta.inject.Singleton;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The singletons of the application, and which instance of Waybill they belong to. None of them is made by looking. */
@Singleton
final class Singletons {

    private final List<BeanDefinition<?>> all;
    private final List<BeanDefinition<?>> others;

    Singletons(BeanContext beans) {
        Map<Boolean, List<BeanDefinition<?>>> bySingleton = beans.getAllBeanDefinitions().stream()
                .filter(Singletons::isOfTheApplication)
                .collect(Collectors.partitioningBy(Singletons::isSingleton));
        all = List.copyOf(bySingleton.getOrDefault(true, List.of()));
        others = List.copyOf(bySingleton.getOrDefault(false, List.of()));
    }

    /** Those of which the class that somebody wrote is like this. */
    List<BeanDefinition<?>> of(Predicate<Class<?>> like) {
        return all.stream().filter(bean -> isLike(bean, like)).toList();
    }

    /** Beans of a request, or of the bean that they are injected into: not among the singletons, though somebody may have meant them to be. */
    List<BeanDefinition<?>> others(Predicate<Class<?>> like) {
        return others.stream().filter(bean -> isLike(bean, like)).toList();
    }

    /** Those of factories of the application that speak of a supertype: what is behind it is seen when it is made. */
    List<BeanDefinition<?>> declaredAsSupertypes() {
        return all.stream()
                .filter(bean -> Modifier.isAbstract(bean.getBeanType().getModifiers())
                        && !bean.isIterable()
                        && bean.getDeclaringType().filter(Singletons::isFactory).isPresent())
                .toList();
    }

    private static boolean isFactory(Class<?> type) {
        return type.isAnnotationPresent(Factory.class)
                && type != WaybillBeans.class
                && !type.getName().startsWith("io.micronaut.");
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
        return !bean.isAbstract() && !name.startsWith("io.micronaut.");
    }

    private static boolean isSingleton(BeanDefinition<?> bean) {
        return bean.isSingleton();
    }

    /** The class that somebody wrote, whatever is wrapped around it. */
    static Class<?> implementation(BeanDefinition<?> bean) {
        return bean instanceof AdvisedBeanType<?> advised ? advised.getInterceptedType() : bean.getBeanType();
    }

    /** Whether a class works on this data source: what does not say so works on the primary one. */
    static boolean isOn(Class<?> type, String dataSource, boolean primary) {
        return dataSource(type).map(dataSource::equals).orElse(primary);
    }

    /** The data source that a class names. */
    static Optional<String> dataSource(Class<?> type) {
        return Optional.ofNullable(type.getAnnotation(OnDataSource.class)).map(OnDataSource::value);
    }
}
