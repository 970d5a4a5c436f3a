package io.waybill.message;

import static java.util.stream.Collectors.joining;

import io.waybill.WaybillException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one codec that is there, looked for when it is needed. */
final class FoundCodec implements PayloadCodec {

    /** Looks where Waybill itself was found: a thread's own class loader would make the answer depend on who asks first. */
    static final FoundCodec INSTANCE =
            new FoundCodec(() -> ServiceLoader.load(PayloadCodec.class, PayloadCodec.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList());

    private final Supplier<List<PayloadCodec>> search;
    private volatile @Nullable PayloadCodec found;

    FoundCodec(Supplier<List<PayloadCodec>> search) {
        this.search = search;
    }

    @Override
    public Payload encode(Object value) {
        return codec(
                        "A " + value.getClass().getName() + " cannot be written as it is",
                        "pass JSON as a String, or bytes")
                .encode(value);
    }

    @Override
    public <T> T decode(Payload payload, Class<T> type) {
        return codec("A " + type.getName() + " cannot be read", "take the payload as text or bytes")
                .decode(payload, type);
    }

    private PayloadCodec codec(String problem, String otherwise) {
        PayloadCodec known = found;
        if (known != null) {
            return known;
        }
        List<PayloadCodec> candidates = search.get();
        if (candidates.isEmpty()) {
            throw new WaybillException(
                    problem + ", because no codec is on the class path. Add io.waybill:waybill-jackson,"
                            + " or give a codec of your own, or " + otherwise + ".");
        }
        if (candidates.size() > 1) {
            throw new WaybillException(problem + ", because several codecs are on the class path: "
                    + candidates.stream()
                            .map(candidate -> candidate.getClass().getName())
                            .collect(joining(" and "))
                    + ". Give the one you mean, or leave one on the class path.");
        }
        found = candidates.get(0);
        return candidates.get(0);
    }
}
