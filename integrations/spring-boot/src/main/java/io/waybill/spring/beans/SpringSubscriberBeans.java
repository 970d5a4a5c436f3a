package io.waybill.spring.beans;

import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.runtime.Waybill;
import io.waybill.spring.settings.SpringBrokers;
import io.waybill.spring.settings.SpringProblems;
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
public final class SpringSubscriberBeans {

    private static final Logger log = LoggerFactory.getLogger(SpringSubscriberBeans.class);

    private final List<SpringSubscriberMethod> fromOutbox = new ArrayList<>();
    private final List<SpringSubscriberMethod> fromBrokers = new ArrayList<>();
    private final SpringBrokers brokers;
    private final SpringProblems problems;
    private final SpringHandlerCheck check;

    private SpringSubscriberBeans(SpringBrokers brokers, SpringProblems problems, SpringHandlerCheck check) {
        this.brokers = brokers;
        this.problems = problems;
        this.check = check;
    }

    public static SpringSubscriberBeans among(
            Map<String, Class<?>> types,
            ConfigurableListableBeanFactory beans,
            SpringBrokers brokers,
            SpringProblems problems,
            SpringHandlerCheck check) {
        var found = new SpringSubscriberBeans(brokers, problems, check);
        types.forEach((name, type) -> methods(type)
                .forEach((method, annotation) ->
                        found.add(beans, name, SpringHandlerCheck.written(type), method, annotation)));
        return found;
    }

    public static Map<Method, SubscribeTo> methods(Class<?> type) {
        Class<?> written = SpringHandlerCheck.written(type);
        return AnnotationUtils.isCandidateClass(written, SubscribeTo.class)
                ? MethodIntrospector.selectMethods(written, (MetadataLookup<SubscribeTo>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, SubscribeTo.class))
                : Map.of();
    }

    public Set<String> destinations() {
        return Stream.concat(fromOutbox.stream(), fromBrokers.stream())
                .map(SpringSubscriberMethod::destination)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names under which they are remembered. */
    public Set<String> handlers() {
        return Stream.concat(fromOutbox.stream(), fromBrokers.stream())
                .map(SpringSubscriberMethod::handler)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** How many subscriptions to brokers there will be. */
    public int subscriptions() {
        return brokers.receives() ? fromBrokers.size() : 0;
    }

    /** Whether any of them takes messages from the outbox. */
    public boolean handleFromOutbox() {
        return !fromOutbox.isEmpty();
    }

    /**
     * Goes on under the name that the inbox knows, where it is the older one: under another, messages that a broker delivers again would be
     * handled again, and those that wait for their next attempt by nobody.
     */
    public void keepFormerNames(Waybill waybill, Duration remembered) {
        if (Stream.concat(fromOutbox.stream(), fromBrokers.stream())
                .allMatch(method -> method.former().isEmpty())) {
            return;
        }
        Set<String> known = waybill.transactions()
                .inTransaction(transaction -> waybill.store().inboxStore().stats(transaction, remembered).stream()
                        .map(HandlerStats::handler)
                        .collect(Collectors.toSet()));
        UnaryOperator<SpringSubscriberMethod> named = method -> method.former()
                .filter(known::contains)
                .map(former -> keptAs(method, former))
                .orElse(method);
        fromOutbox.replaceAll(named);
        fromBrokers.replaceAll(named);
    }

    private static SpringSubscriberMethod keptAs(SpringSubscriberMethod method, String former) {
        log.warn(
                "WB-606 {} keeps its former name in the inbox, '{}', so that nothing is handled twice. Write it into"
                        + " the annotation: handler = \"{}\".",
                method.description(),
                former,
                former);
        return method.named(former);
    }

    /** What is appended on this database comes from the outbox. */
    public void subscribeTo(Waybill waybill) {
        fromOutbox.forEach(method -> problems.check(
                method.description(),
                method.destination(),
                () -> {
                    method.subscribeTo(waybill);
                    return true;
                },
                false));
    }

    /** Begins to receive from brokers; what cannot be received is reported at once. */
    public void receive(Waybill waybill) {
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
        var found = new SpringSubscriberMethod(
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
