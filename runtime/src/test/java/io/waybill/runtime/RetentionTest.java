package io.waybill.runtime;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static io.waybill.runtime.WaybillTest.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.WaybillException;
import io.waybill.command.BusinessKey;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.process.OneStep;
import io.waybill.store.admin.Selection;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Deadline;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What is over is removed, and not too early. */
class RetentionTest {

    @Test
    void an_inbox_that_forgets_before_the_last_redelivery_is_refused_at_start() {
        try (TestDatabase database = H2.newDatabase()) {
            var builder = Waybill.on(database.dataSource())
                    .inboxRetention(Duration.ofDays(7))
                    .receiving(ReceivingOptions.DEFAULT.redeliveryWindow(Duration.ofDays(14)));

            assertThatThrownBy(builder::start)
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("PT168H")
                    .hasMessageContaining("PT336H")
                    .hasMessageContaining("redelivery window");
        }
    }

    @Test
    void the_inbox_forgets_by_itself_also_where_no_relay_runs() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .relays(0)
                        .inboxRetention(Duration.ofMillis(1))
                        .receiving(ReceivingOptions.DEFAULT.redeliveryWindow(Duration.ZERO))
                        .cleanupEvery(Duration.ofMillis(50))
                        .start()) {
            var source = new MemoryBroker();
            var handled = new CountDownLatch(1);
            Subscription subscription = waybill.subscribe(
                    source.asBroker(),
                    SubscriptionOptions.to("orders.placed", "billing"),
                    String.class,
                    received -> handled.countDown());
            source.publish(List.of(order().seal(UUID::randomUUID)), Deadline.NEVER);
            await().until(() -> handled.getCount() == 0);
            // It has been committed when this is over.
            subscription.close();

            await().untilAsserted(() -> assertThat(waybill.store().cleanup().countHandled(Duration.ZERO))
                    .isZero());
        }
    }

    @Test
    void finished_commands_are_forgotten_by_themselves() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .handlers(new Doorman())
                        .commandRetention(Duration.ofMillis(1))
                        .processRetention(Duration.ofMillis(1))
                        .cleanupEvery(Duration.ofMillis(50))
                        .start()) {
            UUID id = waybill.commandBus().accept(new KnockCommand(1), idempotencyKey("knock"), BusinessKey.NONE);

            await().untilAsserted(() ->
                    assertThat(waybill.store().commandStore().find(id)).isEmpty());
        }
    }

    @Test
    void commands_that_would_be_forgotten_too_early_are_refused_at_start() {
        try (TestDatabase database = H2.newDatabase()) {
            assertThatThrownBy(Waybill.on(database.dataSource())
                            .commandRetention(Duration.ofDays(7))
                            .commandsFrom("kafka://localhost:9092")
                            .receiving(ReceivingOptions.DEFAULT.redeliveryWindow(Duration.ofDays(14)))::build)
                    .hasMessageContaining("Commands are forgotten after PT168H")
                    .hasMessageContaining("PT336H");
            assertThatThrownBy(Waybill.on(database.dataSource())
                            .processes(new OneStep("Visit", KnockCommand.class))
                            .commandRetention(Duration.ofDays(20))::build)
                    .hasMessageContaining("commandRetention (PT480H) must be at least processRetention (PT720H)");
        }
    }

    @Test
    void dispatched_messages_are_removed_when_their_retention_is_over() {
        var broker = new MemoryBroker();
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route("**", broker)
                        .retention(Duration.ofMillis(1))
                        .cleanupEvery(Duration.ofMillis(50))
                        .start()) {
            waybill.transactions().inTransaction(transaction -> waybill.outbox().append(order()));
            await().untilAsserted(() -> assertThat(broker.payloads()).hasSize(1));

            await().untilAsserted(() -> assertThat(waybill.store().admin().list(Selection.all(), 0, 10))
                    .isEmpty());
        }
    }

    /** Knocks at the door. */
    public record KnockCommand(int times) implements DomainCommand {}

    /** Opens it. */
    public static final class Doorman {
        public void open(KnockCommand command) {}
    }
}
