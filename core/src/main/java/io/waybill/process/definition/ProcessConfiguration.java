package io.waybill.process.definition;

import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a process is: its steps, and the rules for when one of them fails.
 *
 * <p><i>Threads:</i> the rules are asked by many threads at once, and must answer from their arguments alone.
 */
public interface ProcessConfiguration {

    /** The name under which it is started. */
    String getProcessType();

    /** Its steps: begin with {@link #process()}. Asked for once, when the definition is registered. */
    ProcessGraph defineProcess();

    /** Begins a definition. */
    default ProcessGraphBuilder process() {
        return new ProcessGraphBuilder();
    }

    /**
     * The version of this definition. Instances finish on the version they were started with; new ones start on the highest that is
     * registered.
     */
    default int getVersion() {
        return 1;
    }

    /** How long the whole process may take before it is compensated; empty is as long as it takes. */
    default Optional<Duration> getTimeout() {
        return Optional.empty();
    }

    /** Whether a failure of this step may go away by itself, where its handler does not say so. */
    default boolean isRetryable(String step, String error) {
        return false;
    }

    /** How often a step is tried again. */
    default int getMaxRetries(String step) {
        return RetryPolicy.STEP.maxRetries();
    }

    /** How many milliseconds to wait before trying again; the first time the attempt is 0. By default 1 s, 2 s, 4 s …. */
    default long getRetryDelay(String step, int attempt) {
        return RetryPolicy.STEP.pause(attempt).toMillis();
    }

    /** Steps that had another name in instances of this version that are still in flight: the old name to the new one. */
    default Map<String, String> getRenamedSteps() {
        return Map.of();
    }
}
