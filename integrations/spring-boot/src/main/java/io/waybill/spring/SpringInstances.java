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
public record SpringInstances(List<SpringInstance> all) implements AutoCloseable {

    public SpringInstances {
        all = List.copyOf(all);
    }

    SpringInstance primary() {
        return all.get(0);
    }

    Waybill named(String name) {
        return all.stream()
                .filter(instance -> instance.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new WaybillException("Waybill does not run on the data source '" + name + "'. It runs on "
                                + all.stream().map(SpringInstance::name).toList() + "."))
                .waybill();
    }

    /** All of them end, even if one cannot do it well. */
    @Override
    public void close() {
        @Nullable RuntimeException first = null;
        for (SpringInstance instance : all) {
            try {
                instance.waybill().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
