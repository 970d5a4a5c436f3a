package io.waybill.jdbc.internal.process;

import io.waybill.WaybillException;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Events as rows of the log: the type is the name of the class, the rest is JSON. */
final class ProcessEvents {

    private static final Map<String, Class<? extends ProcessEvent>> TYPES = new HashMap<>();

    static {
        register(ProcessEvent.class);
    }

    private final PayloadCodec codec;

    ProcessEvents(PayloadCodec codec) {
        this.codec = codec;
    }

    /** All that may be in a log. */
    static Stream<Class<? extends ProcessEvent>> types() {
        return TYPES.values().stream();
    }

    static String type(ProcessEvent event) {
        return event.getClass().getSimpleName();
    }

    String json(ProcessEvent event) {
        return codec.encode(event).asText();
    }

    ProcessEvent read(String type, String json) {
        @Nullable Class<? extends ProcessEvent> known = TYPES.get(type);
        if (known == null) {
            throw new WaybillException("The log has an event of the type '" + type + "', which this version of Waybill"
                    + " does not know. It was written by a newer one: read it with that.");
        }
        return codec.decode(Payload.text(json), known);
    }

    private static void register(Class<?> type) {
        if (type.isRecord()) {
            TYPES.put(type.getSimpleName(), type.asSubclass(ProcessEvent.class));
        } else {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                register(permitted);
            }
        }
    }
}
