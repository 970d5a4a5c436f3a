package io.waybill.process.graph;

import io.waybill.command.DomainCommand;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One step of a graph: what it does, how long it may take, how it is tried again and how it is compensated. */
public record Step(
        String name,
        Action action,
        @Nullable Duration timeout,
        @Nullable RetryPolicy retries,
        @Nullable CompensatingSend compensation) {

    /** What a step does. */
    public sealed interface Action {}

    /** Sends a command and waits for its reply. */
    public record Send(
            String type,
            Class<? extends DomainCommand> command,
            @Nullable Function<ProcessData, ?> builder) implements Action {}

    /** Lets time pass. */
    public record Delay(Function<ProcessData, Duration> length) implements Action {}

    /**
     * Waits for somebody to tell something.
     *
     * @param branches whether the graph goes another way when nobody does in time; else the step fails
     */
    public record Await(String signal, boolean branches) implements Action {

        /** The name under which the data say whether nobody did. */
        public static String timedOut(String step) {
            return step + "TimedOut";
        }
    }

    /** Runs another process as one step. */
    public record Child(String type, Function<ProcessData, Map<String, Object>> data) implements Action {}

    /** Sends a command for every element of a list. */
    public record ForEach(String list, Send each, int atMost) implements Action {}

    /** The command that compensates the step. */
    public record CompensatingSend(Send send, @Nullable Duration timeout, RetryPolicy retries) {}
}
