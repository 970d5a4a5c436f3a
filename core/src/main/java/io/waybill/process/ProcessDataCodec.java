package io.waybill.process;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts data through the codec when they enter a process, so that a value has the same type at every step. */
final class ProcessDataCodec {

    private final PayloadCodec codec;
    private final int longest;

    ProcessDataCodec(PayloadCodec codec, int longest) {
        this.codec = codec;
        this.longest = longest;
    }

    Map<String, Object> normal(Map<String, Object> data) {
        Payload json = codec.encode(data);
        if (json.size() > longest) {
            throw new WaybillException(tooLong(json));
        }
        return read(json);
    }

    /** Refusing a reply does not revert what was done: one that is too long leaves its step in doubt. */
    CommandReply normal(CommandReply reply) {
        if (!(reply instanceof CommandReply.Completed done) || done.data().isEmpty()) {
            return reply;
        }
        Payload json = codec.encode(done.data());
        return json.size() > longest
                ? CommandReply.timedOut(done.commandId(), done.correlationId(), tooLong(json))
                : CommandReply.completed(done.commandId(), done.correlationId(), read(json));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> read(Payload json) {
        return codec.decode(json, LinkedHashMap.class);
    }

    private String tooLong(Payload json) {
        return "The data have " + json.size() + " characters of JSON, but a process keeps at most " + longest
                + " at a time. Reply with ids, and let the next step read what it needs.";
    }
}
