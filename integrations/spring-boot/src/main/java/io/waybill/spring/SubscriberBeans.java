package io.waybill.spring;

import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.runtime.Waybill;
import io.waybill.store.inbox.HandlerStats;
import io.waybill.transport.TransportUrl;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** The methods with {@link SubscribeTo}, and where their messages come from. */
final class SubscriberBeans {

    private static final Logger log = LoggerFactory.getLogger(SubscriberBeans.class);

    private final List<SubscriberMethod> fromOutbox = new ArrayList<>();
    private final List<SubscriberMethod> fromBrokers = new ArrayList<>();
    private final Brokers brokers;
    private final Problems problems;
    private final HandlerCheck check;

    private SubscriberBeans(Brokers brokers, Problems problems, HandlerCheck check) {
        this.brokers = brokers;
        this.problems = problems;
        this.check = check;
    }

    static SubscriberBeans among(
            Map<String, Class<?>> types,
            ConfigurableListableBeanFactory beans,
            Brokers brokers,
            Problems problems,
            HandlerCheck check) {
        var found = new SubscriberBeans(brokers, problems, check);
        types.forEach((name, type) -> methods(type)
                .forEach((method, annotation) ->
                        found.add(beans, name, HandlerCheck.written(type), method, annotation)));
        return found;
    }

    static Map<Method, SubscribeTo> methods(Class<?> type) {
        Class<?> written = HandlerCheck.written(type);
        return AnnotationUtils.isCandidateClass(written, SubscribeTo.class)
                ? MethodIntrospector.selectMethods(written, (MetadataLookup<SubscribeTo>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, SubscribeTo.class))
                : Map.of();
    }

    Set<String> destinations() {
        return Stream.concat(fromOutbox.stream(), fromBrokers.stream())
                .map(SubscriberMethod::destination)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names under which they are remembered. */
    Set<String> handlers() {
        return Stream.concat(fromOutbox.stream(), fromBrokers.stream())
                .map(SubscriberMethod::handler)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** How many subscriptions to brokers there will be. */
    int subscriptions() {
        return brokers.receives() ? fromBrokers.size() : 0;
    }

    /** Whether any of them takes messages from the outbox. */
    boolean handleFromOutbox() {
        return !fromOutbox.isEmpty();
    }

    /**
     * Goes on under the name that the inbox knows, where it is the older one: under another, messages that a broker delivers again would be
     * handled again, and those that wait for their next attempt by nobody.
     */
    void keepFormerNames(Waybill waybill, Duration remembered) {
        if (Stream.concat(fromOutbox.stream(), fromBrokers.stream())
                .allMatch(method -> method.former().isEmpty())) {
            return;
        }
        Set<String> known = waybill.transactions()
                .inTransaction(transaction -> waybill.store().inboxStore().stats(transaction, remembered).stream()
                        .map(HandlerStats::handler)
                        .collect(Collectors.toSet()));
        UnaryOperator<SubscriberMethod> named = method -> method.former()
                .filter(known::contains)
                .map(former -> keptAs(method, former))
                .orElse(method);
        fromOutbox.replaceAll(named);
        fromBrokers.replaceAll(named);
    }

    private static SubscriberMethod keptAs(SubscriberMethod method, String former) {
        log.warn(
                "WB-606 {} is remembered in the inbox as '{}', and goes on under this name. Write it into the annotation: handler = \"{}\".",
                method.description(),
                former,
                former);
        return method.named(former);
    }

    /** What is appended on this database comes from the outbox. */
    void subscribeTo(Waybill waybill) {
        fromOutbox.forEach(method -> problems.check(
                method.description(),
                method.destination(),
                () -> {
                    method.subscribeTo(waybill);
                    return true;
                },
                false));
    }

    /** Begins to receive from brokers; what cannot be received is told at once. */
    void receive(Waybill waybill) {
        if (brokers.receives()) {
            fromBrokers.forEach(method -> {
                String url = brokers.sourceOf(method.destination()).orElseThrow();
                problems.check(
                        method.description() + " (waybill.messaging.consumers.sources)",
                        TransportUrl.withoutPassword(url),
                        () -> {
                            method.receive(
                                    waybill, url, brokers.subscription(url, method.destination(), method.handler()));
                            return true;
                        },
                        false);
            });
        }
    }

    /** Unchanged where it cannot be resolved: some contexts throw, others return it as it is. */
    private static String resolved(ConfigurableListableBeanFactory beans, String value) {
        try {
            return String.valueOf(beans.resolveEmbeddedValue(value));
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    private void add(
            ConfigurableListableBeanFactory beans, String bean, Class<?> type, Method method, SubscribeTo annotation) {
        String description = "@SubscribeTo on " + type.getSimpleName() + "." + method.getName();
        check.look(bean, type, method);
        String destination = resolved(beans, annotation.value());
        if (destination.contains("${")) {
            problems.refuse(
                    "@SubscribeTo(\"" + annotation.value() + "\") on " + type.getName() + "." + method.getName(),
                    "there is no value for it. Set it, or give it a default: ${key:destination}.");
            return;
        }
        if (method.getParameterCount() != 1) {
            problems.add(
                    description,
                    annotation.value(),
                    "the method must have one parameter, what the payload is read into, but it has "
                            + method.getParameterCount() + ".");
            return;
        }
        ResolvableType parameter = ResolvableType.forMethodParameter(method, 0, type);
        boolean whole = parameter.toClass() == Received.class;
        Class<?> payload = whole ? parameter.getGeneric(0).toClass() : parameter.toClass();
        String handler =
                annotation.handler().isEmpty() ? type.getSimpleName() + "." + method.getName() : annotation.handler();
        Optional<String> former = Optional.ofNullable(beans.getType(bean))
                .filter(made -> made != type && annotation.handler().isEmpty())
                .map(made -> made.getSimpleName() + "." + method.getName());
        var found = new SubscriberMethod(
                destination,
                handler,
                former,
                payload,
                description,
                new BeanCall(() -> beans.getBean(bean), method, whole));
        if (brokers.sourceOf(destination).isPresent()) {
            fromBrokers.add(found);
        } else if (brokers.routeOf(destination).isPresent()) {
            problems.add(
                    description,
                    destination,
                    "it would never get a message: the route '"
                            + brokers.routeOf(destination).orElseThrow()
                            + "' leads to a broker. Add the broker to waybill.messaging.consumers.sources, or narrow the"
                            + " route.");
        } else {
            fromOutbox.add(found);
        }
    }
}
