package io.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A payload that is larger than a message may have is not read at all: its message fails, and nobody waits for it but its key. */
class MaxPayloadTest {

    private static final int MAX_PAYLOAD = 10_000;

    static Stream<Named<Supplier<TestDatabase>>> databases() {
        return Stream.of(
                Named.of("H2", H2::newDatabase),
                Named.of("PostgreSQL", () -> Postgres.shared().newDatabase()),
                Named.of("MariaDB", () -> MariaDb.shared().newDatabase()));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void a_message_that_is_too_large_fails_with_the_reason(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            var store = JdbcStore.on(
                            database.dataSource(), JdbcStoreOptions.DEFAULT.withMaxPayload(MAX_PAYLOAD), Time.system())
                    .initializeSchema();
            append(store, text("small", "a", MAX_PAYLOAD));
            append(store, text("large", "b", MAX_PAYLOAD + 1));
            append(store, text("behind", "b", 10));
            append(store, Message.event("Image", new byte[MAX_PAYLOAD + 1]).to("large bytes"));
            append(store, text("last", "c", 10));
            var broker = new MemoryBroker();
            try (var relay = new Relay(
                    store.outboxStore(),
                    store.leaseStore(),
                    Routes.of(Route.of("**", broker)),
                    RelayOptions.DEFAULT,
                    Time.system(),
                    RelayListener.NONE)) {
                relay.drain();
            }

            assertThat(broker.accepted())
                    .extracting(Envelope::destination)
                    .containsExactlyInAnyOrder("small", "last", "behind");
            List<StoredMessage> failed = store.admin().list(Selection.of(OutboxStatus.FAILED), 0, 10);
            assertThat(failed)
                    .extracting(message -> message.envelope().destination())
                    .containsExactly("large", "large bytes");
            assertThat(failed)
                    .allSatisfy(message ->
                            assertThat(message.error()).contains("10001 bytes").contains("max-payload is 10000"));
            assertThat(store.admin()
                            .find(failed.get(0).envelope().id())
                            .orElseThrow()
                            .envelope()
                            .payload()
                            .size())
                    .as("its row is as it was")
                    .isEqualTo(MAX_PAYLOAD + 1L);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void headers_that_are_too_large_are_not_read_and_fail_alone(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            var store = JdbcStore.on(database.dataSource()).initializeSchema();
            append(store, text("small", "a", 10));
            append(store, text("large", "b", 10).header("trace", "x".repeat(ClaimedMessage.MAX_HEADERS)));
            append(store, text("last", "c", 10).header("trace", "x".repeat(100_000)));
            var broker = new MemoryBroker();
            try (var relay = new Relay(
                    store.outboxStore(),
                    store.leaseStore(),
                    Routes.of(Route.of("**", broker)),
                    RelayOptions.DEFAULT,
                    Time.system(),
                    RelayListener.NONE)) {
                relay.drain();
            }

            assertThat(broker.accepted()).extracting(Envelope::destination).containsExactlyInAnyOrder("small", "last");
            assertThat(store.admin().list(Selection.of(OutboxStatus.FAILED), 0, 10))
                    .singleElement()
                    .satisfies(message -> {
                        assertThat(message.error()).contains("headers are not a JSON object of at most 1 MB");
                        assertThat(message.envelope().headers()).isEmpty();
                    });
        }
    }

    private static void append(JdbcStore store, Message message) {
        store.transactions()
                .inTransaction(transaction ->
                        Outbox.in(store.outboxStore(), store.transactions()).append(message));
    }

    private static Message text(String destination, String key, int bytes) {
        return Message.event("Text", "\"" + "x".repeat(bytes - 2) + "\"")
                .to(destination)
                .inOrderOf(key);
    }
}
