package io.waybill.process.definition;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.process.graph.GraphNode;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.graph.Step;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepKind;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A registered definition: its graph is made once. Immutable. */
public final class ProcessDefinition {

    private static final int MAX_TYPE = 200;

    private final ProcessConfiguration configuration;
    private final ProcessGraph graph;

    private ProcessDefinition(ProcessConfiguration configuration, ProcessGraph graph) {
        this.configuration = configuration;
        this.graph = graph;
    }

    public static ProcessDefinition of(ProcessConfiguration configuration) {
        checkType(configuration);
        ProcessGraph graph;
        try {
            graph = configuration.defineProcess();
        } catch (WaybillException e) {
            throw new WaybillException(
                    "The process " + configuration.getProcessType() + " is not defined well. " + e.getMessage(), e);
        }
        return new ProcessDefinition(configuration, graph);
    }

    /** The type is a part of the destinations that processes of it are told something by. */
    private static void checkType(ProcessConfiguration configuration) {
        String type = configuration.getProcessType();
        if (type.isBlank() || type.length() > MAX_TYPE || type.indexOf('*') >= 0 || type.indexOf('\0') >= 0) {
            throw new WaybillException("The type of a process has 1 to " + MAX_TYPE
                    + " characters, '*' and U+0000 not among them, but getProcessType() of "
                    + configuration.getClass().getName() + " is '" + type + "'.");
        }
    }

    public String type() {
        return configuration.getProcessType();
    }

    public int version() {
        return configuration.getVersion();
    }

    public ProcessGraph graph() {
        return graph;
    }

    public Optional<Duration> timeout() {
        return configuration.getTimeout();
    }

    /** A step by the name that an instance knows it by, which may be an old one. */
    public GraphNode.AtStep at(String step) {
        return graph.at(currentName(step));
    }

    public String currentName(String step) {
        return graph.has(step) ? step : configuration.getRenamedSteps().getOrDefault(step, step);
    }

    /** How long to wait before the step is tried again, or nothing when it is not. */
    public Optional<Duration> pause(Step step, int attempt, String error, Retry said) {
        int retry = attempt - 1;
        RetryPolicy policy = step.retries();
        int limit = policy == null ? configuration.getMaxRetries(step.name()) : policy.maxRetries();
        if (retry >= limit || !mayRetry(step.name(), policy, error, said)) {
            return Optional.empty();
        }
        return Optional.of(
                policy == null
                        ? Duration.ofMillis(configuration.getRetryDelay(step.name(), retry))
                        : policy.pause(retry));
    }

    /** The same for a compensation, which goes by its own policy alone. */
    public static Optional<Duration> pause(Step.CompensatingSend compensation, int attempt, Retry said) {
        int retry = attempt - 1;
        return retry >= compensation.retries().maxRetries() || said == Retry.FORBIDDEN
                ? Optional.empty()
                : Optional.of(compensation.retries().pause(retry));
    }

    public int maxAttempts(String step) {
        RetryPolicy policy = at(step).step.retries();
        return 1 + (policy == null ? configuration.getMaxRetries(currentName(step)) : policy.maxRetries());
    }

    public int maxCompensationAttempts(String step) {
        Step.@Nullable CompensatingSend compensation = at(step).step.compensation();
        return compensation == null ? 1 : 1 + compensation.retries().maxRetries();
    }

    /** Whether it has every step that the instance stands on. */
    public boolean canContinue(ProcessState state) {
        return state.executions().stream().allMatch(step -> has(step.step(), step.kind()));
    }

    /** Whether it has the step, and the step is still of that kind. */
    public boolean has(String step, StepKind kind) {
        return switch (kind) {
            case FORK -> graph.hasFork(step);
            case BRANCH, STORED_SIGNAL -> true;
            default -> graph.has(currentName(step)) && fits(at(step).step.action(), kind);
        };
    }

    private static boolean fits(Step.Action action, StepKind kind) {
        StepKind now = StepKind.of(action);
        return now == kind || (now == StepKind.FOR_EACH && kind == StepKind.COMMAND);
    }

    private boolean mayRetry(String step, @Nullable RetryPolicy policy, String error, CommandReply.Retry said) {
        return switch (said) {
            case ALLOWED -> true;
            case FORBIDDEN -> false;
            case BY_RULE -> (policy != null && policy.anyError()) || configuration.isRetryable(step, error);
        };
    }
}
