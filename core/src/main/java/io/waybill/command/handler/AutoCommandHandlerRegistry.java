package io.waybill.command.handler;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.waybill.WaybillException;
import io.waybill.command.DomainCommand;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which method handles which type of command: found by itself, in any number of services. A public method with exactly one
 * parameter that is a {@link DomainCommand} is a handler; of a service and its proxy the proxy is called.
 *
 * <p>Immutable.
 */
public final class AutoCommandHandlerRegistry {

    private final Map<String, RegisteredHandler> handlers;

    private AutoCommandHandlerRegistry(Map<String, RegisteredHandler> handlers) {
        this.handlers = handlers;
    }

    /** The handlers among the methods of these services. */
    public static AutoCommandHandlerRegistry of(Object... services) {
        return of(Arrays.stream(services).map(HandlerCandidate::of).toList());
    }

    /** The handlers among the methods of these beans. Two different ones for one type are an error that names both, for all types. */
    public static AutoCommandHandlerRegistry of(Collection<HandlerCandidate> beans) {
        List<String> ambiguities = ambiguities(beans);
        if (!ambiguities.isEmpty()) {
            throw new WaybillException(String.join("\n", ambiguities));
        }
        Map<String, RegisteredHandler> handlers = new TreeMap<>();
        byType(beans)
                .forEach((type, found) -> handlers.put(type, preferred(found).bind()));
        return new AutoCommandHandlerRegistry(handlers);
    }

    /** A sentence for each type that has more than one handler among these beans. */
    public static List<String> ambiguities(Collection<HandlerCandidate> beans) {
        return byType(beans).entrySet().stream()
                .flatMap(entry -> ambiguity(entry.getKey(), meant(entry.getValue())).stream())
                .toList();
    }

    /** The types that have a handler among these beans, those with more than one too. */
    public static Set<String> typesOf(Collection<HandlerCandidate> beans) {
        return byType(beans).keySet();
    }

    private static Map<String, List<HandlerMethods.Found>> byType(Collection<HandlerCandidate> beans) {
        return beans.stream()
                .flatMap(bean -> HandlerMethods.in(bean).stream())
                .collect(groupingBy(HandlerMethods.Found::type, TreeMap::new, java.util.stream.Collectors.toList()));
    }

    /** Those with the annotation, where there are any. */
    private static List<HandlerMethods.Found> meant(List<HandlerMethods.Found> found) {
        List<HandlerMethods.Found> annotated =
                found.stream().filter(HandlerMethods.Found::annotated).toList();
        return annotated.isEmpty() ? found : annotated;
    }

    private static HandlerMethods.Found preferred(List<HandlerMethods.Found> found) {
        List<HandlerMethods.Found> candidates = meant(found);
        return candidates.stream()
                .filter(candidate -> candidate.candidate().proxy())
                .findFirst()
                .orElse(candidates.get(0));
    }

    private static Optional<String> ambiguity(String type, List<HandlerMethods.Found> candidates) {
        long different = candidates.stream()
                .map(HandlerMethods.Found::identity)
                .distinct()
                .count();
        if (different > 1) {
            return Optional.of(ambiguous(
                    type,
                    different + " different implementations: "
                            + candidates.stream()
                                    .map(HandlerMethods.Found::description)
                                    .distinct()
                                    .toList()));
        }
        long beans = Math.max(beans(candidates, true), beans(candidates, false));
        return beans > 1
                ? Optional.of(ambiguous(
                        type,
                        beans + " instances of "
                                + candidates.get(0).candidate().implementation().getName() + ", whose method "
                                + candidates.get(0).description() + " handles it"))
                : Optional.empty();
    }

    /** How many beans these are; the same one may have been given more than once. */
    private static long beans(List<HandlerMethods.Found> found, boolean proxy) {
        Set<Object> beans = Collections.newSetFromMap(new IdentityHashMap<>());
        found.stream()
                .map(HandlerMethods.Found::candidate)
                .filter(candidate -> candidate.proxy() == proxy)
                .forEach(candidate -> beans.add(candidate.bean()));
        return beans.size();
    }

    private static String ambiguous(String type, String found) {
        return "Ambiguous handler registration for command type '" + type + "': found " + found
                + ". A command has one handler: put @CommandHandler on the one that is meant, or let the others take"
                + " something else than the command.";
    }

    /** The types that have a handler here. */
    public Set<String> types() {
        return handlers.keySet();
    }

    public boolean handles(String type) {
        return handlers.containsKey(type);
    }

    public RegisteredHandler handler(String type) {
        @Nullable RegisteredHandler handler = handlers.get(type);
        if (handler == null) {
            throw unknown(type);
        }
        return handler;
    }

    private WaybillException unknown(String type) {
        return new WaybillException("Unknown command type: " + type + ". Look whether (1) the command class implements"
                + " DomainCommand; (2) it is called " + type
                + "Command; (3) the handler is a public method with exactly"
                + " one parameter, the command; (4) its class is a service that was given to Waybill, a bean for example;"
                + " (5) the log of the start lists it. Known here: "
                + (handlers.isEmpty() ? "none" : String.join(", ", handlers.keySet())) + ".");
    }

    /** One line for each handler, for the log of the start. */
    public String describe() {
        int width = handlers.keySet().stream().mapToInt(String::length).max().orElse(0);
        return handlers.values().stream()
                .map(handler -> "  " + handler.type()
                        + " ".repeat(width - handler.type().length()) + "  " + handler.description())
                .collect(joining("\n", "Command handlers (" + handlers.size() + "):\n", ""));
    }
}
