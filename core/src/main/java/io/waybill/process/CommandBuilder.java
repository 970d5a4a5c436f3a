package io.waybill.process;

import io.waybill.WaybillException;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns what a process knows into the payload of a command, or says why that cannot be done. */
final class CommandBuilder {

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
            Object command =
                    send.builder() == null ? byName(send, data) : send.builder().apply(data);
            return codec.encode(command).asText();
        } catch (RuntimeException e) {
            if (!strict) {
                return "{}";
            }
            throw new WaybillException(
                    "The command of the step " + step + " cannot be built: " + problem(send, data, e), e);
        }
    }

    private Object byName(Step.Send send, ProcessData data) {
        RecordComponent[] components = send.command().getRecordComponents();
        var members = new LinkedHashMap<String, Object>();
        if (components == null) {
            members.putAll(data);
        } else {
            for (RecordComponent component : components) {
                if (data.containsKey(component.getName())) {
                    members.put(component.getName(), data.get(component.getName()));
                } else if (component.getType().isPrimitive() && strict) {
                    throw new WaybillException("'" + component.getName() + "' must have a value.");
                }
            }
        }
        if (strict) {
            check(send, members);
        }
        return members;
    }

    /** Runs the command's constructor here, where a mistake fails the step at once and not its handler later. */
    private void check(Step.Send send, Map<String, Object> members) {
        codec.decode(Payload.text(codec.encode(members).asText()), send.command());
    }

    private static String problem(Step.Send send, ProcessData data, RuntimeException e) {
        var missing = new ArrayList<String>();
        RecordComponent[] components = send.command().getRecordComponents();
        for (RecordComponent component : components == null ? new RecordComponent[0] : components) {
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
