package io.waybill.testkit.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is promised about processes that are over. */
public abstract class ProcessRemovalContract extends ProcessScenario {

    @Test
    void finished_processes_are_removed_when_they_are_old() {
        UUID finished = manager.startProcess(SHOP, "order-1", DATA);
        commands.replyToAll(manager, "");
        UUID running = manager.startProcess(SHOP, "order-2", DATA);
        assertThat(manager.removeFinished(Duration.ofDays(7), 10)).isZero();
        fixture.clock().advance(Duration.ofDays(8));
        assertThat(manager.removeFinished(Duration.ofDays(7), 10)).isEqualTo(1);
        assertThat(fixture.store().findById(finished)).isEmpty();
        assertThat(fixture.store().history(finished)).isEmpty();
        assertThat(status(running)).isEqualTo(ProcessStatus.RUNNING);
    }

    @Test
    void a_sub_process_is_kept_as_long_as_its_parent_which_may_still_undo_it() {
        ProcessManager both = manager(new Shop(1, "Pack"), new Mall());
        UUID parent = both.startProcess("Mall", "mall-1", DATA);
        StepCommand close = commands.replyUpTo(both, "Close");
        fixture.clock().advance(Duration.ofDays(8));
        assertThat(fixture.store().countFinished(Duration.ofDays(7))).isZero();
        assertThat(both.removeFinished(Duration.ofDays(7), 10)).isZero();

        both.onReply(1, QueuedCommands.answer(close, ""));
        assertThat(status(parent)).isEqualTo(ProcessStatus.SUCCEEDED);
        fixture.clock().advance(Duration.ofDays(8));
        assertThat(fixture.store().countFinished(Duration.ofDays(7))).isEqualTo(1);
        assertThat(both.removeFinished(Duration.ofDays(7), 10)).as("the parent").isEqualTo(1);
        assertThat(both.removeFinished(Duration.ofDays(7), 10)).as("the child").isEqualTo(1);
        assertThat(fixture.store().search(ProcessQuery.ANY)).isEmpty();
    }

    private record Mall() implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Mall";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(WorkCommand.class)
                    .named("Open")
                    .thenProcess(SHOP)
                    .then(EndCommand.class)
                    .named("Close")
                    .end();
        }
    }
}
