package io.waybill.testkit.contract.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.command.ReplyListener.Receipt;
import io.waybill.message.PayloadCodec;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.version.VersionReport;
import io.waybill.testkit.ManualClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
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
        assertThat(onlyNew.onReply(1, QueuedCommands.answer(first, ""))).isEqualTo(Receipt.TAKEN);
        assertThat(status(old)).isEqualTo(ProcessStatus.RUNNING);
        assertThat(onlyNew.explain(old)).contains("A reply has come", "waits in the outbox", "version 1");
        commands.replyToAll(both, "");
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
        assertThat(renamed.onReply(1, QueuedCommands.answer(pack, ""))).isEqualTo(Receipt.TAKEN);
        assertThat(commands.sent).isEmpty();
        ProcessMessage held = commands.messages.remove();
        assertThat(renamed.onMessage(held)).as("it stays in the outbox").isFalse();

        ProcessManager mapped = manager(new Mapped(new Shop(1, "Wrap")));
        assertThat(mapped.checkVersions())
                .extracting(VersionReport::verdict)
                .containsExactly(VersionReport.Verdict.COMPATIBLE);
        assertThat(mapped.onMessage(held)).isTrue();
        assertThat(commands.sent.remove().step()).isEqualTo("End");
    }

    @Test
    void a_step_that_became_something_else_is_not_continued() {
        UUID id = manager.startProcess(SHOP, "order-1", DATA);
        ProcessManager changed = manager(new ProcessConfiguration() {
            @Override
            public String getProcessType() {
                return SHOP;
            }

            @Override
            public ProcessGraph defineProcess() {
                return process()
                        .startWith(WorkCommand.class)
                        .thenDelay("Begin", Duration.ofDays(1))
                        .end();
            }
        });
        assertThat(changed.checkVersions())
                .extracting(VersionReport::verdict)
                .containsExactly(VersionReport.Verdict.NEEDS_MAPPING);
        fixture.clock().advance(Duration.ofDays(31));
        assertThat(changed.runDue(10)).isZero();
        assertThatThrownBy(() -> changed.cancel(id, "no")).hasMessageContaining("cannot change process");
        assertThat(status(id)).isEqualTo(ProcessStatus.RUNNING);
    }

    @Test
    void many_processes_of_other_versions_do_not_delay_what_is_due() {
        int others = Integer.getInteger("waybill.process.others", 1_200);
        Map<String, Map<String, Object>> starts = new HashMap<>();
        for (int i = 0; i < others; i++) {
            starts.put("old-" + i, Map.of());
        }
        manager.startAll(SHOP, starts);
        ProcessManager onlyNew = manager(new Shop(2, "Wrap"));
        UUID young = onlyNew.startProcess(SHOP, "young", DATA);
        fixture.clock().advance(Duration.ofDays(31));
        assertThat(onlyNew.runDue(1)).isEqualTo(1);
        assertThat(status(young)).isEqualTo(ProcessStatus.COMPENSATING);
    }

    @Test
    void a_node_whose_clock_is_wrong_starts_by_the_time_of_the_database() {
        for (Duration wrong : List.of(Duration.ofMinutes(-40), Duration.ofMinutes(40))) {
            var clock = ManualClock.at(fixture.clock().instant().plus(wrong));
            ProcessManager node = new ProcessManager(ProcessManagerParts.of(
                    ProcessDefinitions.of(new Hasty()),
                    fixture.store(),
                    commands,
                    fixture.transactions(),
                    PayloadCodec.found(),
                    clock.time()));
            UUID id = node.startProcess("Hasty", "order" + wrong, Map.of());
            assertThat(node.runDue(10)).as("nothing is due yet").isZero();
            fixture.clock().advance(Duration.ofMinutes(2));
            assertThat(node.runDue(10)).isEqualTo(1);
            assertThat(status(id)).isNotEqualTo(ProcessStatus.RUNNING);
        }
    }

    private record Hasty() implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Hasty";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(WorkCommand.class)
                    .withTimeout(Duration.ofMinutes(1))
                    .end();
        }
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
