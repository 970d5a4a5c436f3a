package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.BeanDefinition;
import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.micronaut.settings.MicronautProblems;
import io.waybill.micronaut.settings.MicronautSettings;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The methods with {@link SubscribeTo}. */
@Singleton
final class SubscriberBeans {

    private final BeanContext beans;
    private final Environment environment;
    private final List<BeanDefinition<?>> found;

    SubscriberBeans(BeanContext beans, Environment environment, Singletons singletons) {
        this.beans = beans;
        this.environment = environment;
        this.found = singletons.of(type -> methods(type).findAny().isPresent());
    }

    Stream<Class<?>> types() {
        return found.stream().map(Singletons::implementation);
    }

    /** Makes them all, so that one that cannot be made fails the start and not its first message. */
    void makeAll() {
        found.forEach(beans::getBean);
    }

    /** Those of a data source. What is wrong with one is noted, and it is left out. */
    List<SubscriberMethod> on(
            String dataSource, boolean primary, MicronautSettings settings, MicronautProblems problems) {
        var methods = new ArrayList<SubscriberMethod>();
        for (BeanDefinition<?> bean : found) {
            Class<?> type = Singletons.implementation(bean);
            if (Singletons.isOn(type, dataSource, primary)) {
                methods(type).forEach(method -> add(bean, type, method, settings, problems, methods));
            }
        }
        return methods;
    }

    static Stream<Method> methods(Class<?> type) {
        return Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(SubscribeTo.class) && !method.isBridge())
                .distinct();
    }

    private void add(
            BeanDefinition<?> bean,
            Class<?> type,
            Method method,
            MicronautSettings settings,
            MicronautProblems problems,
            List<SubscriberMethod> methods) {
        SubscribeTo annotation = method.getAnnotation(SubscribeTo.class);
        String name = type.getSimpleName() + "." + method.getName();
        String destination;
        try {
            destination = environment.getPlaceholderResolver().resolveRequiredPlaceholders(annotation.value());
        } catch (ConfigurationException e) {
            problems.add("@SubscribeTo(\"" + annotation.value() + "\") on " + type.getName() + "." + method.getName()
                    + ": " + e.getMessage() + ". Set it, or give it a default: ${key:destination}.");
            return;
        }
        if (!Modifier.isPublic(method.getModifiers()) || method.getParameterCount() != 1) {
            problems.add(
                    "@SubscribeTo on " + name,
                    destination,
                    "Such a method is public and has one parameter, what the payload is read into, or Received of it.");
            return;
        }
        if (settings.brokers().sourceOf(destination).isEmpty()
                && settings.brokers().routeOf(destination).isPresent()) {
            problems.add(
                    "@SubscribeTo on " + name,
                    destination,
                    "It would never get a message: "
                            + settings.brokers()
                                    .routeOf(destination)
                                    .orElseThrow()
                                    .key()
                            + " leads to a broker. Say with waybill.messaging.consumers.sources where they come back"
                            + " from, or narrow the route.");
            return;
        }
        Type parameter = method.getGenericParameterTypes()[0];
        boolean whole = method.getParameterTypes()[0] == Received.class;
        methods.add(new SubscriberMethod(
                destination,
                annotation.handler().isEmpty() ? name : annotation.handler(),
                whole ? argumentOf(parameter) : method.getParameterTypes()[0],
                whole,
                () -> beans.getBean(bean),
                method));
    }

    private static Class<?> argumentOf(Type received) {
        Type argument = received instanceof ParameterizedType type ? type.getActualTypeArguments()[0] : Object.class;
        return argument instanceof ParameterizedType type
                ? (Class<?>) type.getRawType()
                : argument instanceof Class<?> type ? type : Object.class;
    }
}
