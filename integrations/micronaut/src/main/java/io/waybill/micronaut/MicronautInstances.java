package io.waybill.micronaut;

import io.waybill.WaybillException;
import io.waybill.micronaut.settings.MicronautProblems;
import io.waybill.runtime.Waybill;
import java.util.List;
import java.util.Optional;

/**
 * Waybill on every data source that was chosen, the primary one first.
 *
 * <p><i>Threads:</i> safe.
 */
public final class MicronautInstances {

    private final List<MicronautInstance> all;

    MicronautInstances(List<MicronautInstance> all) {
        this.all = List.copyOf(all);
    }

    public List<MicronautInstance> all() {
        return all;
    }

    MicronautInstance primary() {
        return all.get(0);
    }

    Waybill named(String name) {
        return all.stream()
                .filter(instance -> instance.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new WaybillException("Waybill does not run on the data source '" + name
                        + "', because waybill.data-sources." + name + ".enabled is false."))
                .waybill();
    }

    /** Everything that cannot be received is reported at once. */
    void start() {
        var problems = new MicronautProblems();
        all.forEach(instance -> instance.start(problems));
        problems.report();
    }

    /** All of them end, even if one cannot do it well. */
    void close() {
        var failed =
                all.stream().flatMap(instance -> failureOf(instance).stream()).toList();
        if (!failed.isEmpty()) {
            throw failed.get(0);
        }
    }

    private static Optional<RuntimeException> failureOf(MicronautInstance instance) {
        try {
            instance.waybill().close();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
    }
}
