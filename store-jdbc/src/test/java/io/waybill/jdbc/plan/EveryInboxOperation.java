package io.waybill.jdbc.plan;

import io.waybill.Time;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.FailedTable;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.ops.FailedMessages;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import io.waybill.store.inbox.InboxEntry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Everything that is done for receivers and with failed messages. */
final class EveryInboxOperation {

    private final DataSource dataSource;
    private final JdbcStore store;

    private EveryInboxOperation(DataSource dataSource, JdbcStore store) {
        this.dataSource = dataSource;
        this.store = store;
    }

    static void on(DataSource dataSource, JdbcStore store) {
        var operations = new EveryInboxOperation(dataSource, store);
        operations.receive();
        operations.operateOnFailed();
        operations.operateOnFailedOfMessenger();
    }

    private void receive() {
        var entries =
                List.of(new InboxEntry(UUID.randomUUID(), "billing"), new InboxEntry(UUID.randomUUID(), "billing"));
        store.transactions().inTransaction(transaction -> {
            store.inboxStore().record(transaction, entries);
            store.failedStore().failedKeys(transaction, "orders", "billing", List.of("key-1", "key-2"));
            Envelope message = EveryOperation.order("key-1").seal(UUID::randomUUID);
            store.failedStore()
                    .put(transaction, ErrorSummary.of(message, "billing", 3, new IllegalStateException("no ink")));
            return transaction;
        });
        store.transactions().inTransaction(transaction -> {
            store.inboxStore().record(transaction, entries);
            return store.inboxStore().stats(transaction, Duration.ofHours(1));
        });
    }

    private void operateOnFailed() {
        var operations = store.failedMessages();
        operations.groups(FailedSelection.all());
        List<FailedMessage> some = operations.list(FailedSelection.all(), 5_000, 10);
        operations.count(FailedSelection.all().inGroup(some.get(0).cause().fingerprint()));
        operations.count(
                FailedSelection.all().inGroup(some.get(0).cause().fingerprint()).thatFailedAgain());
        operations.list(FailedSelection.all().inGroup(some.get(0).cause().fingerprint()), 5_000, 10);
        operations.list(
                FailedSelection.all().notHandledBy("billing").from("orders").inOrderOf("key-1"), 0, 10);
        operations.edit(some.get(0).id(), Optional.of(Payload.text("1")), Map.of(), "edited");
        var these = FailedSelection.of(some.stream().map(FailedMessage::id).toList());
        operations.retry(these, FailedMessages.Target.HANDLER, "edited", done -> {});
        var key = new ParkedKey("orders", "billing", "key-1");
        store.transactions().inTransaction(transaction -> {
            ParkedStore parked = store.failedStore().parked();
            parked.first(transaction, key);
            FailedMessage first = parked.lock(transaction, key, 100).get(0);
            parked.waiting(transaction, key, 100);
            parked.startRetry(transaction, UUID.randomUUID(), List.of(first.id()), "retried");
            parked.startRetry(transaction, UUID.randomUUID(), List.of(first.id()), "");
            parked.endRetries(transaction, key);
            parked.failAgain(
                    transaction,
                    first.id(),
                    ErrorSummary.of(first.message(), "billing", 3, new IllegalStateException("no ink")));
            store.failedStore().remove(transaction, List.of(first.id()));
            return first;
        });
    }

    private void operateOnFailedOfMessenger() {
        JdbcStore messenger = JdbcStore.on(
                        dataSource,
                        JdbcStoreOptions.DEFAULT.withFailedTable(FailedTable.MESSENGER_MESSAGES),
                        Time.system())
                .initializeSchema();
        messenger.transactions().inTransaction(transaction -> {
            Envelope message = EveryOperation.order("key-1").seal(UUID::randomUUID);
            messenger
                    .failedStore()
                    .put(
                            transaction,
                            ErrorSummary.of(message, "billing", 3, new IllegalStateException("no ink"))
                                    .ofRow(UUID.randomUUID(), 0));
            return transaction;
        });
        var operations = messenger.failedMessages();
        long id = operations.list(FailedSelection.all(), 0, 10).get(0).id();
        operations.edit(id, Optional.of(Payload.text("1")), Map.of(), "edited");
        operations.discard(FailedSelection.all(), "too old", done -> {});
        giveBackToPhp(operations);
    }

    private void giveBackToPhp(FailedMessages operations) {
        String stamped = "{\"type\":\"A\",\"X-Message-Stamp-SentToFailureTransportStamp\":"
                + "\"[{\\\"originalReceiverName\\\":\\\"async\\\"}]\"}";
        try (var connection = dataSource.getConnection();
                var insert = connection.prepareStatement(
                        "INSERT INTO messenger_messages (body, headers, queue_name, created_at, available_at)"
                                + " VALUES ('{}', ?, ?, '2026-01-01 00:00:00', '2026-01-01 00:00:00')")) {
            for (String queue : List.of("failed", "async")) {
                insert.setString(1, stamped);
                insert.setString(2, queue);
                insert.executeUpdate();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        operations.giveBack(FailedSelection.all(), "", "ink", done -> {});
    }
}
