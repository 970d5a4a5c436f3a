package io.waybill.process.engine;

import io.waybill.command.CommandReply;
import io.waybill.message.PayloadCodec;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.graph.GraphNode;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows from what has happened. It reads nothing but its arguments and changes nothing: the same arguments lead to
 * the same decision.
 *
 * <p><i>Threads:</i> safe.
 */
public interface ProcessEngine {

    /**
     * A process begins.
     *
     * @param trace headers with the context of the trace that it belongs to
     */
    Decision start(
            ProcessDefinition definition,
            UUID processId,
            String businessKey,
            Map<String, Object> data,
            @Nullable ProcessParent parent,
            Map<String, String> trace,
            Instant now);

    /**
     * What follows from the input.
     *
     * @param known what is known of a command without a reply in time: completed with this reply, not done, or in doubt
     */
    Decision decide(
            ProcessDefinition definition,
            ProcessState state,
            ProcessInput input,
            Instant now,
            Function<UUID, CommandReply> known);

    /** The engine; commands are written by this codec. */
    static ProcessEngine of(PayloadCodec codec) {
        return new PureEngine(new CommandBuilder(codec, true), ProcessEngine::byData);
    }

    /**
     * An engine for simulations that have no real data: conditions are answered by the function, which gets the name of the choice and the
     * data, and commands are not checked.
     */
    static ProcessEngine simulated(PayloadCodec codec, BiPredicate<String, ProcessData> choices) {
        return new PureEngine(new CommandBuilder(codec, false), (choice, data) -> choices.test(choice.name, data));
    }

    private static boolean byData(GraphNode.Choice choice, ProcessData data) {
        return choice.test.test(data);
    }
}
