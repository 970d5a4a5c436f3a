package io.waybill.testkit.process;

import io.waybill.command.CommandTypes;
import io.waybill.command.DomainCommand;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the commands of a process do in a test. A command without a handler does nothing and answers with nothing.
 *
 * <p>Immutable.
 */
public final class Handlers {

    private final PayloadCodec codec;
    private final Map<String, Function<String, Map<String, Object>>> byType;

    private Handlers(PayloadCodec codec, Map<String, Function<String, Map<String, Object>>> byType) {
        this.codec = codec;
        this.byType = byType;
    }

    /** None yet, with the codec on the class path. */
    public static Handlers none() {
        return new Handlers(PayloadCodec.found(), Map.of());
    }

    /** What this command does; what comes back, written as JSON, is its answer. */
    public <C extends DomainCommand> Handlers on(Class<C> command, Function<C, ?> handler) {
        var more = new TreeMap<>(byType);
        more.put(CommandTypes.of(command), payload -> answer(handler.apply(read(payload, command))));
        return new Handlers(codec, more);
    }

    /** What this command does; it answers with nothing. */
    public <C extends DomainCommand> Handlers doing(Class<C> command, Consumer<C> handler) {
        return on(command, given -> {
            handler.accept(given);
            return Map.of();
        });
    }

    Map<String, Object> handle(String type, String payload) {
        Function<String, Map<String, Object>> handler = byType.get(type);
        return handler == null ? Map.of() : handler.apply(payload);
    }

    public PayloadCodec codec() {
        return codec;
    }

    private <C> C read(String payload, Class<C> type) {
        return codec.decode(Payload.text(payload), type);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> answer(Object value) {
        return codec.decode(codec.encode(value), LinkedHashMap.class);
    }
}
