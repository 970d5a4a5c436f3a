package io.waybill.process.graph;

import io.waybill.WaybillException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A step while its definition is being written. */
public final class StepDraft {

    private String name;
    private Step.Action action;
    private @Nullable Duration timeout;
    private @Nullable RetryPolicy retries;
    private Step.@Nullable CompensatingSend compensation;

    public StepDraft(String name, Step.Action action) {
        this.name = name;
        this.action = action;
    }

    public String name() {
        return name;
    }

    public Step.Action action() {
        return action;
    }

    public void rename(String other) {
        name = other;
    }

    public void become(Step.Action other) {
        action = other;
    }

    public void timeout(Duration limit) {
        timeout = limit;
    }

    public void retries(RetryPolicy policy) {
        retries = policy;
    }

    public void compensation(Step.CompensatingSend compensation) {
        this.compensation = compensation;
    }

    @Nullable
    public Duration timeout() {
        return timeout;
    }

    /** The same step written in another place: what is said there and not here is taken over. */
    public void absorb(StepDraft other) {
        if (!action.getClass().equals(other.action.getClass())
                || contradict(timeout, other.timeout)
                || contradict(retries, other.retries)
                || contradict(compensation, other.compensation)) {
            throw new WaybillException("The step " + name + " is written twice with different settings. Both places"
                    + " lead to one step: say its timeout, retries and compensation once, or give one of the two"
                    + " another name with .named(\"...\").");
        }
        timeout = timeout == null ? other.timeout : timeout;
        retries = retries == null ? other.retries : retries;
        compensation = compensation == null ? other.compensation : compensation;
    }

    private static boolean contradict(@Nullable Object here, @Nullable Object there) {
        return here != null && there != null && !here.equals(there);
    }

    Step finished() {
        return new Step(name, action, timeout, retries, compensation);
    }
}
