package io.waybill.spring;

import io.waybill.WaybillException;
import io.waybill.runtime.Waybill;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waybill on every data source that was chosen, the primary one first.
 *
 * <p><i>Threads:</i> safe.
 */
record Platforms(List<Platform> all) implements AutoCloseable {

    Platforms {
        all = List.copyOf(all);
    }

    Platform primary() {
        return all.get(0);
    }

    Waybill named(String name) {
        return all.stream()
                .filter(platform -> platform.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new WaybillException("Waybill does not run on the data source '" + name
                        + "'. It runs on " + all.stream().map(Platform::name).toList() + "."))
                .waybill();
    }

    /** All of them end, even if one cannot do it well. */
    @Override
    public void close() {
        @Nullable RuntimeException first = null;
        for (Platform platform : all) {
            try {
                platform.waybill().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
