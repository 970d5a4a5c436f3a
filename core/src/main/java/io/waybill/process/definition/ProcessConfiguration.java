package io.waybill.process.definition;

import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Defines a process: its steps, and the rules for failures.
 *
 * <p><i>Threads:</i> many threads call the rules concurrently; they must depend on their arguments only.
 */
public interface ProcessConfiguration {

    /** The type of the process, by which it is started. */
    String getProcessType();

    /** The steps: start with {@link #process()}. Called once, when the definition is registered. */
    ProcessGraph defineProcess();

    /** Starts a definition. */
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

    /** How long the whole process may take before it is compensated; empty means no limit. */
    default Optional<Duration> getTimeout() {
        return Optional.empty();
    }

    /** Whether to retry a failure of this step, if its handler does not decide. */
    default boolean isRetryable(String step, String error) {
        return false;
    }

    /** How often a step is retried. */
    default int getMaxRetries(String step) {
        return RetryPolicy.STEP.maxRetries();
    }

    /** How many milliseconds to wait before a retry; the first attempt is 0. By default 1 s, 2 s, 4 s …. */
    default long getRetryDelay(String step, int attempt) {
        return RetryPolicy.STEP.pause(attempt).toMillis();
    }

    /** Renamed steps, for instances of this version that are in flight: the old name to the new one. */
    default Map<String, String> getRenamedSteps() {
        return Map.of();
    }
}
