package io.waybill.it.command;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.command.PendingReply;
import io.waybill.command.store.CommandStatus;
import io.waybill.it.LogLines;
import io.waybill.it.command.Depot.PackCommand;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessStatus;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is promised to who sends a command, wherever its handler is. */
abstract class CommandsAnywhereContract extends CommandsScenario {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void a_command_runs_once_and_its_answer_comes_back() {
        PendingReply reply = sender.commandBus().send(new PackCommand("book"), idempotencyKey("book"));

        assertThat(reply.await(PATIENCE).reply())
                .isEqualTo(CommandReply.completed(reply.commandId(), reply.commandId(), Map.of("parcel", "P-book")));
        assertThat(ledger("book")).containsExactly("pack");
        assertThat(status(reply.commandId())).isEqualTo(CommandStatus.COMPLETED);
    }

    @Test
    void the_same_idempotency_key_is_the_same_command() {
        PendingReply first = sender.commandBus().send(new PackCommand("pen"), idempotencyKey("pen"));
        first.await(PATIENCE);
        PendingReply second = sender.commandBus().send(new PackCommand("pen"), idempotencyKey("pen"));

        assertThat(second.commandId()).isEqualTo(first.commandId());
        assertThat(second.await(PATIENCE).reply())
                .isEqualTo(first.await(PATIENCE).reply());
        assertThat(ledger("pen")).containsExactly("pack");
    }

    @Test
    void an_error_that_may_go_away_is_tried_again_and_its_key_waits() {
        PendingReply busy = sender.commandBus()
                .send(new PackCommand("busy-1"), idempotencyKey("b1"), businessKey("busy"), CommandOptions.DEFAULT);
        PendingReply behind = sender.commandBus()
                .send(new PackCommand("behind-1"), idempotencyKey("b2"), businessKey("busy"), CommandOptions.DEFAULT);

        assertThat(busy.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class);
        assertThat(behind.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class);
        assertThat(itemsOf("busy-1", "behind-1")).containsExactly("busy-1", "behind-1");
    }

    @Test
    void a_process_succeeds() {
        UUID id = sender.processManager().startProcess("Dispatch", "order-1", Map.of("item", "chair"));

        awaitStatus(id, ProcessStatus.SUCCEEDED);
        assertThat(ledger("chair")).containsExactly("pack", "ship");
    }

    @Test
    void a_process_is_compensated() {
        UUID id = sender.processManager().startProcess("Dispatch", "order-2", Map.of("item", "heavy-desk"));

        awaitStatus(id, ProcessStatus.COMPENSATED);
        assertThat(ledger("heavy-desk")).containsExactly("pack", "unpack");
    }

    @Test
    void a_failure_has_no_effect_and_is_answered_with_its_type_and_message() {
        try (LogLines alarms = LogLines.of("io.waybill.inbox.receive.FailureLog")) {
            PendingReply reply = sender.commandBus().send(new PackCommand("broken-vase"), idempotencyKey("vase"));

            CommandReply.Failed failed =
                    (CommandReply.Failed) reply.await(PATIENCE).reply();
            assertThat(failed.error()).isEqualTo("IllegalStateException: no box for broken-vase");
            assertThat(status(reply.commandId())).isEqualTo(CommandStatus.FAILED);
            assertThat(alarms.with("WB-301"))
                    .as("it was answered: nobody needs to look")
                    .isEmpty();
        }
        assertThat(ledger("broken-vase")).isEmpty();
    }

    void awaitStatus(UUID process, ProcessStatus status) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(sender.store()
                                .processStore(PayloadCodec.found())
                                .findById(process)
                                .orElseThrow()
                                .status())
                        .as(sender.processManager().explain(process))
                        .isEqualTo(status));
    }

    CommandStatus status(UUID commandId) {
        return sender.store().commandStore().find(commandId).orElseThrow().status();
    }
}
