package io.waybill.runtime.command;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.Backoff;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandRetries;
import io.waybill.command.DomainCommand;
import io.waybill.command.PendingReply;
import io.waybill.command.Retryable;
import io.waybill.command.store.CommandStatus;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CommandProgressTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final AtomicBoolean isBusy = new AtomicBoolean(true);

    /** Rings a bell. */
    public record RingCommand(int times) implements DomainCommand {}

    /** Not now. */
    public static final class BusyException extends RuntimeException implements Retryable {}

    /** Rings when it is not busy. */
    public final class Bell {
        public void ring(RingCommand command) {
            if (isBusy.get()) {
                throw new BusyException();
            }
        }
    }

    @Test
    void a_command_that_will_be_tried_again_is_processing() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .handlers(new Bell())
                        .commandRetries(CommandRetries.DEFAULT.backoff(
                                new Backoff(Duration.ofMillis(100), Duration.ofMillis(100), 0)))
                        .start()) {
            PendingReply reply = waybill.commandBus().send(new RingCommand(1), idempotencyKey("ring"));

            await().atMost(PATIENCE).until(() -> status(waybill, reply.commandId()) == CommandStatus.PROCESSING);
            isBusy.set(false);

            assertThat(reply.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class);
            assertThat(status(waybill, reply.commandId())).isEqualTo(CommandStatus.COMPLETED);
        }
    }

    @Test
    void a_command_that_a_broker_has_taken_is_processing() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route(
                                "APP.CMD.*.Q",
                                (batch, deadline) -> batch.stream()
                                        .<Outcome>map(message -> new Outcome.Accepted())
                                        .toList())
                        .start()) {
            PendingReply reply = waybill.commandBus().send(new RingCommand(1), idempotencyKey("ring"));

            await().atMost(PATIENCE).until(() -> status(waybill, reply.commandId()) == CommandStatus.PROCESSING);
        }
    }

    private static CommandStatus status(Waybill waybill, UUID commandId) {
        return waybill.store().commandStore().find(commandId).orElseThrow().status();
    }
}
