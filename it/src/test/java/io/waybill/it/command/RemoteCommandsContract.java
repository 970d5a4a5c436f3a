package io.waybill.it.command;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.command.BusinessKey;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.command.PendingReply;
import io.waybill.command.store.CommandStatus;
import io.waybill.it.LogLines;
import io.waybill.it.command.Depot.LabelCommand;
import io.waybill.it.command.Depot.PackCommand;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.process.state.ProcessStatus;
import io.waybill.store.failed.FailedSelection;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is promised to who sends a command is promised as well when its handler is behind a broker, on a database of its own. */
abstract class RemoteCommandsContract extends CommandsAnywhereContract {

    private static final String EXECUTION = "io.waybill.command.execution.CommandExecution";

    @Test
    void a_command_that_comes_again_is_not_run_again_and_gets_its_stored_answer() {
        UUID command = UUID.randomUUID();
        try (LogLines log = LogLines.of(EXECUTION);
                LogLines alarms = LogLines.of("io.waybill.inbox.receive.FailureLog")) {
            UUID message = UUID.randomUUID();
            publish(packing(message, command, "lamp"));
            await().atMost(PATIENCE).until(() -> sender.failedMessages().count(FailedSelection.all()) == 1);

            publish(packing(message, command, "lamp"));
            publish(packing(UUID.randomUUID(), command, "lamp"));

            await().atMost(PATIENCE).until(() -> sender.failedMessages().count(FailedSelection.all()) == 2);
            assertThat(alarms.with("WB-301", "never sent the command " + command))
                    .as("the sender's database knows nothing of it")
                    .isNotEmpty();
            assertThat(log.with("WB-503", command.toString())).hasSize(1);
        }
        assertThat(ledger("lamp")).containsExactly("pack");
    }

    @Test
    void an_answer_after_the_timeout_is_recognised_and_changes_nothing() {
        try (LogLines log = LogLines.of(EXECUTION)) {
            PendingReply reply = sender.commandBus()
                    .send(
                            new PackCommand("slow-piano"),
                            idempotencyKey("piano"),
                            BusinessKey.NONE,
                            CommandOptions.DEFAULT.timeout(Duration.ofSeconds(1)));
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> status(reply.commandId()) == CommandStatus.PROCESSING);
            CommandReply answer = reply.await(PATIENCE).reply();
            slow.countDown();
            await().atMost(PATIENCE)
                    .until(() -> !log.with("WB-504", reply.commandId().toString(), "P-slow-piano")
                            .isEmpty());

            assertThat(answer).isInstanceOf(CommandReply.TimedOut.class);
            assertThat(status(reply.commandId())).isEqualTo(CommandStatus.FAILED);
            assertThat(ledger("slow-piano")).as("the worker had it in time").containsExactly("pack");
        }
    }

    @Test
    void a_process_with_a_step_in_doubt_has_not_ended_before_its_worker_says_whether_it_was_done() {
        UUID undone = sender.processManager().startProcess("Labelling", "order-3", Map.of("item", "box"));
        UUID left = sender.processManager().startProcess("Tagging", "order-3", Map.of("item", "crate"));
        for (UUID id : List.of(undone, left)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(sender.processManager().explain(id))
                            .contains("COMPENSATING", "Label is in doubt"));
        }
        assertThat(sender.processManager().stuck(10)).isEmpty();

        try (var late = startLabels()) {
            awaitStatus(undone, ProcessStatus.COMPENSATED);
            awaitStatus(left, ProcessStatus.FAILED);
            PendingReply next = sender.commandBus().send(new LabelCommand("next"), idempotencyKey("next"));

            assertThat(next.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class);
            assertThat(late.failedMessages().count(FailedSelection.all())).isZero();
        }
        assertThat(ledger("box")).isIn(List.of(), List.of("label", "unlabel"));
        assertThat(ledger("crate")).hasSizeLessThan(2);
        assertThat(ledger("next")).containsExactly("label");
    }

    @Test
    void a_worker_that_is_stopped_in_the_middle_loses_and_doubles_nothing() {
        List<PendingReply> replies = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            replies.add(sender.commandBus().send(new PackCommand("cup-" + i), idempotencyKey("cup-" + i)));
            if (i == 25) {
                await().atMost(PATIENCE).until(() -> !itemsOf("cup-").isEmpty());
            }
            if (i == 35) {
                worker.close();
            }
        }
        startWorker();

        replies.forEach(reply -> assertThat(reply.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class));
        assertThat(itemsOf("cup-"))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 50).mapToObj(i -> "cup-" + i).toList());
    }

    private Envelope packing(UUID message, UUID command, String item) {
        return new Envelope(
                message,
                Category.COMMAND,
                "Pack",
                naming.queueOf("Pack"),
                "",
                "",
                Payload.text("{\"item\":\"" + item + "\"}"),
                Map.of(
                        "command-id", command.toString(),
                        "idempotency-key", "key of " + command,
                        "reply-to", naming.replyQueue()));
    }

    private void publish(Envelope message) {
        try (var transport = Transports.open(url());
                var publisher = transport.publisher("test", WireFormat.PLAIN)) {
            assertThat(publisher.publish(List.of(message), Deadline.NEVER))
                    .allMatch(Outcome.Accepted.class::isInstance);
        }
    }
}
