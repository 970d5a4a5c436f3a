package io.waybill.process.definition;

import io.waybill.WaybillException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The definitions that a node knows, by type and version. Immutable. */
public final class ProcessDefinitions {

    private final Map<String, NavigableMap<Integer, ProcessDefinition>> byType;

    private ProcessDefinitions(Map<String, NavigableMap<Integer, ProcessDefinition>> byType) {
        this.byType = byType;
    }

    public static ProcessDefinitions of(ProcessConfiguration... configurations) {
        return of(List.of(configurations));
    }

    public static ProcessDefinitions of(Collection<? extends ProcessConfiguration> configurations) {
        var byType = new TreeMap<String, NavigableMap<Integer, ProcessDefinition>>();
        for (ProcessConfiguration configuration : configurations) {
            var definition = ProcessDefinition.of(configuration);
            @Nullable
            ProcessDefinition before = byType.computeIfAbsent(definition.type(), type -> new TreeMap<>())
                    .put(definition.version(), definition);
            if (before != null) {
                throw new WaybillException("The process " + definition.type() + " is defined twice in version "
                        + definition.version() + ". Give one of them another type or version.");
            }
        }
        byType.values().forEach(versions -> versions.values().forEach(definition -> checkChildren(definition, byType)));
        return new ProcessDefinitions(byType);
    }

    private static void checkChildren(
            ProcessDefinition definition, Map<String, NavigableMap<Integer, ProcessDefinition>> byType) {
        for (String child : definition.graph().getChildTypes()) {
            if (!byType.containsKey(child)) {
                throw new WaybillException("The process " + definition.type() + " has the process '" + child
                        + "' as a step, but no definition has this type. Register it beside " + definition.type()
                        + ". Registered are " + byType.keySet() + ".");
            }
        }
    }

    /** Which definitions send commands that are not handled, in words. */
    public Set<String> unhandled(Predicate<String> isHandled) {
        var missing = new TreeSet<String>();
        byType.values()
                .forEach(versions -> versions.values()
                        .forEach(definition -> definition.graph().getCommandTypes().stream()
                                .filter(type -> !isHandled.test(type))
                                .forEach(type -> missing.add(definition.type() + " sends " + type + "Command"))));
        return missing;
    }

    /** All of them, in every version. */
    public List<ProcessDefinition> all() {
        return byType.values().stream()
                .flatMap(versions -> versions.values().stream())
                .toList();
    }

    public boolean has(String type) {
        return byType.containsKey(type);
    }

    /** The definition for new instances. */
    public ProcessDefinition latest(String type) {
        NavigableMap<Integer, ProcessDefinition> versions = byType.get(type);
        if (versions == null) {
            throw new WaybillException(
                    "There is no process of type '" + type + "'. Known are " + byType.keySet() + ".");
        }
        return versions.lastEntry().getValue();
    }

    /** The definition of this very version. */
    public Optional<ProcessDefinition> find(String type, int version) {
        return Optional.ofNullable(byType.get(type)).map(versions -> versions.get(version));
    }

    /** The definition for new instances, of this version unless it is 0. */
    public Optional<ProcessDefinition> findForNew(String type, int version) {
        return version == 0 && has(type) ? Optional.of(latest(type)) : find(type, version);
    }

    public Set<Integer> versions(String type) {
        NavigableMap<Integer, ProcessDefinition> versions = byType.get(type);
        return versions == null ? Set.of() : versions.keySet();
    }
}
