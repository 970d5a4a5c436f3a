package io.waybill.process.engine;

import io.waybill.WaybillException;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.Step;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns what a process knows into the payload of a command, or says why that cannot be done. */
final class CommandBuilder {

    /** Asking a class for them takes longer than to write a command. None of a class that is no record. */
    private static final ClassValue<List<RecordComponent>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<RecordComponent> computeValue(Class<?> type) {
            return type.isRecord() ? List.of(type.getRecordComponents()) : List.of();
        }
    };

    private final PayloadCodec codec;
    private final boolean strict;

    /** A strict one runs the constructor of every command. */
    CommandBuilder(PayloadCodec codec, boolean strict) {
        this.codec = codec;
        this.strict = strict;
    }

    /** The payload; whatever the definition's code throws comes out as an error about this step. */
    String payload(String step, Step.Send send, ProcessData data) {
        try {
            return send.builder() == null
                    ? byName(send, data)
                    : codec.encode(send.builder().apply(data)).asText();
        } catch (RuntimeException e) {
            if (!strict) {
                return "{}";
            }
            throw new WaybillException(
                    "The command of the step " + step + " cannot be built: " + problem(send, data, e), e);
        }
    }

    /** A strict one runs the command's constructor here, where a mistake fails the step at once and not its handler later. */
    private String byName(Step.Send send, ProcessData data) {
        Payload payload = codec.encode(members(send, data));
        if (strict) {
            codec.decode(payload, send.command());
        }
        return payload.asText();
    }

    private Map<String, Object> members(Step.Send send, ProcessData data) {
        List<RecordComponent> components = COMPONENTS.get(send.command());
        if (components.isEmpty()) {
            return send.command().isRecord() ? Map.of() : data;
        }
        var members = new LinkedHashMap<String, Object>();
        for (RecordComponent component : components) {
            if (data.containsKey(component.getName())) {
                members.put(component.getName(), data.get(component.getName()));
            } else if (component.getType().isPrimitive() && strict) {
                throw new WaybillException("'" + component.getName() + "' must have a value.");
            }
        }
        return members;
    }

    private static String problem(Step.Send send, ProcessData data, RuntimeException e) {
        var missing = new ArrayList<String>();
        for (RecordComponent component : COMPONENTS.get(send.command())) {
            if (!data.containsKey(component.getName())) {
                missing.add(component.getName());
            }
        }
        return e.getClass().getSimpleName() + ": " + e.getMessage()
                + (missing.isEmpty()
                        ? ""
                        : " The process does not know " + names(missing) + " of "
                                + send.command().getSimpleName() + ".");
    }

    private static String names(List<String> missing) {
        return "'" + String.join("', '", missing) + "'";
    }
}
