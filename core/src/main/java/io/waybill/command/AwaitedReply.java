package io.waybill.command;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import java.util.Map;

/** The awaited reply to a command. */
public record AwaitedReply(CommandReply reply, PayloadCodec codec) {

    /** What the handler returned, as an object; an error when it failed. */
    public <T> T as(Class<T> type) {
        return reply.fold(
                completed -> codec.decode(codec.encode(result(completed, type)), type),
                failed -> {
                    throw new WaybillException("The command " + failed.commandId() + " failed: " + failed.error());
                },
                timedOut -> {
                    throw new WaybillException(
                            "The command " + timedOut.commandId() + " has no reply: " + timedOut.error());
                });
    }

    /** A handler's number or text is the only member of its data. */
    private static Object result(CommandReply.Completed completed, Class<?> type) {
        Object single = completed.data().size() == 1 && !type.isRecord() && !Map.class.isAssignableFrom(type)
                ? completed.data().get("value")
                : null;
        return single == null ? completed.data() : single;
    }
}
