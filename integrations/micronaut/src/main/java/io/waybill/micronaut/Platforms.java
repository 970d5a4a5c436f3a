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
public final class Platforms {

    private final List<Platform> all;

    Platforms(List<Platform> all) {
        this.all = List.copyOf(all);
    }

    public List<Platform> all() {
        return all;
    }

    Platform primary() {
        return all.get(0);
    }

    Waybill named(String name) {
        return all.stream()
                .filter(platform -> platform.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new WaybillException("Waybill does not run on the data source '" + name
                        + "', because waybill.data-sources." + name + ".enabled is false."))
                .waybill();
    }

    /** Everything that cannot be received is told at once. */
    void start() {
        var problems = new MicronautProblems();
        all.forEach(platform -> platform.start(problems));
        problems.report();
    }

    /** All of them end, even if one cannot do it well. */
    void close() {
        var failed =
                all.stream().flatMap(platform -> failureOf(platform).stream()).toList();
        if (!failed.isEmpty()) {
            throw failed.get(0);
        }
    }

    private static Optional<RuntimeException> failureOf(Platform platform) {
        try {
            platform.waybill().close();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
    }
}
