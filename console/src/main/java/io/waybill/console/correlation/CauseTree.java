package io.waybill.console.correlation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Items below what caused them. Causes come from headers that anybody may have written: a circle has a beginning all the same. */
final class CauseTree {

    private final Map<String, CorrelatedItem> items = new LinkedHashMap<>();
    private final Map<String, String> parents = new HashMap<>();

    private CauseTree(Collection<CorrelatedItem> all) {
        all.stream()
                .sorted(Comparator.comparing(CorrelatedItem::at))
                .forEach(item -> items.putIfAbsent(item.id(), item));
        items.values()
                .forEach(item -> item.causes().stream()
                        .filter(cause -> items.containsKey(cause) && !isBelow(cause, item.id()))
                        .findFirst()
                        .ifPresent(cause -> parents.put(item.id(), cause)));
    }

    /** @param parent the id of its cause; null when that is not known */
    record Placed(CorrelatedItem item, @Nullable String parent, int depth) {}

    /** Each item behind its cause, effects in the order of their times. */
    static List<Placed> of(Collection<CorrelatedItem> items) {
        return new CauseTree(items).placed();
    }

    private boolean isBelow(String id, String above) {
        for (String at = id; at != null; at = parents.get(at)) {
            if (at.equals(above)) {
                return true;
            }
        }
        return false;
    }

    private List<Placed> placed() {
        var children = new HashMap<String, List<CorrelatedItem>>();
        items.values()
                .forEach(item -> children.computeIfAbsent(
                                parents.getOrDefault(item.id(), ""), parent -> new ArrayList<>())
                        .add(item));
        var placed = new ArrayList<Placed>();
        var open = new ArrayList<Placed>();
        push(open, children.getOrDefault("", List.of()), null, 0);
        while (!open.isEmpty()) {
            Placed next = open.remove(open.size() - 1);
            placed.add(next);
            push(
                    open,
                    children.getOrDefault(next.item().id(), List.of()),
                    next.item().id(),
                    next.depth() + 1);
        }
        return placed;
    }

    private static void push(List<Placed> open, List<CorrelatedItem> items, @Nullable String parent, int depth) {
        for (int i = items.size() - 1; i >= 0; i--) {
            open.add(new Placed(Objects.requireNonNull(items.get(i)), parent, depth));
        }
    }
}
