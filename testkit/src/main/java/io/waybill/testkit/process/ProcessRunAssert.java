package io.waybill.testkit.process;

import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/** What can be said about a process that ran. */
public final class ProcessRunAssert extends AbstractAssert<ProcessRunAssert, ProcessRun> {

    ProcessRunAssert(ProcessRun run) {
        super(run, ProcessRunAssert.class);
    }

    public ProcessRunAssert hasSucceeded() {
        return is(ProcessStatus.SUCCEEDED);
    }

    public ProcessRunAssert isCompensated() {
        return is(ProcessStatus.COMPENSATED);
    }

    public ProcessRunAssert hasFailed() {
        return is(ProcessStatus.FAILED);
    }

    /** The compensation needs an operator at this step. */
    public ProcessRunAssert isBlockedAt(String step) {
        is(ProcessStatus.FAILED);
        Assertions.assertThat(actual.explain()).contains(step + " is blocked");
        return this;
    }

    public ProcessRunAssert is(ProcessStatus status) {
        Assertions.assertThat(actual.instance().status()).as(actual.explain()).isEqualTo(status);
        return this;
    }

    /** Exactly these commands were given to handlers, in this order: steps by their name, compensations by their type. */
    public ProcessRunAssert ran(String... commands) {
        Assertions.assertThat(actual.handled()).as(actual.explain()).containsExactly(commands);
        return this;
    }

    /** Among others these commands were given to handlers, in this order. */
    public ProcessRunAssert ranAmongOthers(String... commands) {
        Assertions.assertThat(actual.handled()).as(actual.explain()).containsSubsequence(commands);
        return this;
    }

    public ProcessRunAssert knows(String name, Object value) {
        Assertions.assertThat(actual.instance().data()).containsEntry(name, value);
        return this;
    }

    /** The log alone leads to the same state. */
    public ProcessRunAssert hasALogThatReplays() {
        ProcessState stored = actual.state();
        ProcessState replayed =
                ProcessState.replayed(actual.processId(), actual.store().history(actual.processId()));
        Assertions.assertThat(replayed.header()).isEqualTo(stored.header());
        Assertions.assertThat(List.copyOf(replayed.executions())).isEqualTo(List.copyOf(stored.executions()));
        return this;
    }
}
