package io.waybill.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.ReplyListener.Receipt;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessGraph;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessStatus;
import io.waybill.process.StepCommand;
import io.waybill.process.VersionReport;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What is promised about processes whose definition has changed. */
public abstract class ProcessVersionContract extends ProcessScenario {

    @Test
    void a_process_that_a_node_cannot_move_does_not_keep_others_waiting() {
        UUID old = manager.startProcess(SHOP, "old", DATA);
        ProcessManager onlyNew = manager(new Shop(2, "Wrap"));
        UUID young = onlyNew.startProcess(SHOP, "young", DATA);
        fixture.clock().advance(Duration.ofDays(31));
        assertThat(onlyNew.runDue(1) + onlyNew.runDue(1)).isEqualTo(1);
        assertThat(status(young)).isEqualTo(ProcessStatus.COMPENSATING);
        assertThat(status(old)).isEqualTo(ProcessStatus.RUNNING);
        assertThat(manager.runDue(10)).isEqualTo(1);
    }

    @Test
    void versions_live_side_by_side_and_what_the_code_cannot_continue_is_held_and_named() {
        UUID old = manager.startProcess(SHOP, "old", DATA);
        ProcessManager both = manager(new Shop(1, "Pack"), new Shop(2, "Wrap"));
        UUID young = both.startProcess(SHOP, "young", DATA);
        assertThat(both.checkVersions())
                .extracting(VersionReport::version, VersionReport::verdict)
                .containsExactlyInAnyOrder(
                        Tuple.tuple(1, VersionReport.Verdict.COMPATIBLE),
                        Tuple.tuple(2, VersionReport.Verdict.COMPATIBLE));

        ProcessManager onlyNew = manager(new Shop(2, "Wrap"));
        assertThat(onlyNew.checkVersions()).anySatisfy(report -> {
            assertThat(report.verdict()).isEqualTo(VersionReport.Verdict.MISSING);
            assertThat(report.advice()).contains("knows Shop in the versions [2]");
        });
        StepCommand first = commands.sent.remove();
        assertThat(onlyNew.onReply(1, QueuedCommands.answer(first, ""))).isEqualTo(Receipt.ELSEWHERE);
        assertThat(both.onReply(1, QueuedCommands.answer(first, ""))).isEqualTo(Receipt.TAKEN);
        commands.answerAll(both, "");
        assertThat(fixture.store().findById(old).orElseThrow().data()).containsKey("Pack");
        assertThat(fixture.store().findById(young).orElseThrow().data()).containsKey("Wrap");
    }

    @Test
    void a_step_that_was_renamed_needs_a_mapping() {
        manager.startProcess(SHOP, "order-1", DATA);
        answer(commands.sent.remove());
        answer(commands.sent.remove());
        answer(commands.sent.remove());
        StepCommand pack = commands.sent.remove();
        assertThat(pack.step()).isEqualTo("Pack");

        ProcessManager renamed = manager(new Shop(1, "Wrap"));
        assertThat(renamed.checkVersions()).singleElement().satisfies(report -> {
            assertThat(report.verdict()).isEqualTo(VersionReport.Verdict.NEEDS_MAPPING);
            assertThat(report.unknownSteps()).containsExactly("Pack");
        });
        assertThat(renamed.onReply(1, QueuedCommands.answer(pack, ""))).isEqualTo(Receipt.ELSEWHERE);

        ProcessManager mapped = manager(new Mapped(new Shop(1, "Wrap")));
        assertThat(mapped.checkVersions())
                .extracting(VersionReport::verdict)
                .containsExactly(VersionReport.Verdict.COMPATIBLE);
        assertThat(mapped.onReply(1, QueuedCommands.answer(pack, ""))).isEqualTo(Receipt.TAKEN);
        assertThat(commands.sent.remove().step()).isEqualTo("End");
    }

    private record Mapped(Shop shop) implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return SHOP;
        }

        @Override
        public ProcessGraph defineProcess() {
            return shop.defineProcess();
        }

        @Override
        public Map<String, String> getRenamedSteps() {
            return Map.of("Pack", "Wrap");
        }
    }
}
