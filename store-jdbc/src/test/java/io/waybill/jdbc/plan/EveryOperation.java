package io.waybill.jdbc.plan;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.Time;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.command.store.CommandStore;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Signals;
import io.waybill.jdbc.ops.CommandAdmin;
import io.waybill.jdbc.ops.MessageSearch;
import io.waybill.jdbc.ops.OperationLog;
import io.waybill.jdbc.ops.ProcessAdmin;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.PayloadCodec;
import io.waybill.store.Transaction;
import io.waybill.store.admin.Archive;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.admin.ScheduledMessage;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.LeaseStore.LeaseTable;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Does everything once that the product does with its tables. */
final class EveryOperation {

    private static final Duration LEASE_TIME = Duration.ofMinutes(1);
    private static final Duration A_WEEK = Duration.ofDays(7);
    private static final long A_FEW_BYTES = 1;
    private static final String DESTINATION = "destination-1";

    private final DataSource dataSource;
    private final JdbcStore store;

    private EveryOperation(DataSource dataSource) {
        this.dataSource = dataSource;
        this.store = JdbcStore.on(dataSource);
    }

    static void on(DataSource dataSource) {
        var operations = new EveryOperation(dataSource);
        operations.write();
        operations.relay();
        operations.command();
        operations.look();
        operations.operate();
        EveryInboxOperation.on(dataSource, operations.store);
        operations.cleanUp();
        EveryProcessOperation.on(operations.store);
    }

    private void write() {
        store.transactions().inTransaction(transaction -> {
            store.outbox().append(order("key-1"));
            store.outbox().append(List.of(order("key-1"), order("key-2")));
            store.outboxStore().schedule(transaction, order("key-3").seal(UUID::randomUUID), Duration.ofHours(1));
            store.outboxStore().nextNumber(transaction, DESTINATION, "key-1");
            store.outboxStore().nextNumber(transaction, DESTINATION, "a new key");
            return transaction;
        });
        store.outboxStore().appendScheduled(100);
    }

    private void relay() {
        List<Lease> leases = leaseAll("relay");
        signal();
        refuseAll(leases);
        settleWhatIsDue(leases);
        dispatch(store.outboxStore(), leases, 3);
        dispatch(withoutRetention().outboxStore(), leases, 100);
        store.outboxStore().repairKeys(leases);
        LeaseTable table = store.leaseStore().renew("relay", ">**", leases, LEASE_TIME);
        LeaseTable.Row owner = table.owners().get(0);
        store.leaseStore().renew("helper", "=help", List.of(), LEASE_TIME);
        store.leaseStore()
                .take(
                        List.of(new LeaseStore.Wanted(LeaseTable.Row.none(owner.shard(), 1), List.of(owner))),
                        "helper",
                        LEASE_TIME);
        store.leaseStore().end(List.of(LeaseTable.Row.none(owner.shard(), 1)));
        store.leaseStore().renew("helper", "=more", List.of(), LEASE_TIME);
        store.leaseStore().release("relay", leases.subList(1, 3));
        store.leaseStore().abandon("relay", leases.subList(3, 4));
        store.leaseStore().leave("relay");
        store.admin().pause("orders.placed", "stock-taking", "ann");
        store.leaseStore().paused();
        store.admin().resume("orders.placed");
    }

    /** A batch in which every kind of refusal occurs, and followers that are held. */
    /** On PostgreSQL: one process tells another, in which the relay is. */
    private void signal() {
        store.signals().ifPresent(sending -> {
            var heard = new Semaphore(0);
            try (sending;
                    Signals hearing = store.signals().orElseThrow()) {
                hearing.listen(1, heard::release);
                await().until(heard::tryAcquire);
                sending.send();
                await().until(heard::tryAcquire);
            }
        });
    }

    private void refuseAll(List<Lease> leases) {
        List<ClaimedMessage> batch = keyed(claim(store.outboxStore(), 60));
        store.outboxStore().noteAttempt(leaseOf(batch.get(0), leases), batch.get(0), 1, "It may have ended a relay");
        var settlements = Settlements.none();
        settlements.dispatched().add(batch.get(0));
        ClaimedMessage busy = batch.stream()
                .skip(5)
                .filter(message -> followersOf(message, batch).size() > 0)
                .findFirst()
                .orElseThrow();
        settlements.retries().add(new Settlements.Retry(busy, "Busy", Duration.ZERO));
        settlements.held().addAll(followersOf(busy, batch));
        settlements.failures().add(new Settlements.Failure(batch.get(2), "Bad", OnExhausted.PARK));
        settlements.failures().add(new Settlements.Failure(batch.get(3), "Bad", OnExhausted.BLOCK));
        settlements.failures().add(new Settlements.Failure(batch.get(4), "Bad", OnExhausted.SKIP));
        settlements.held().add(batch.get(2));
        store.outboxStore().settle(leases, settlements);
    }

    private static List<ClaimedMessage> followersOf(ClaimedMessage first, List<ClaimedMessage> batch) {
        return batch.stream()
                .filter(message -> message.position() > first.position()
                        && message.lane().equals(first.lane())
                        && message.envelope()
                                .partitionKey()
                                .equals(first.envelope().partitionKey()))
                .toList();
    }

    private void settleWhatIsDue(List<Lease> leases) {
        var settlements = Settlements.none();
        settlements
                .dispatched()
                .addAll(keyed(store.outboxStore().claimDue(leases, Set.of("away"), 100, Long.MAX_VALUE)));
        store.outboxStore().settle(leases, settlements);
    }

    private static void dispatch(OutboxStore outbox, List<Lease> leases, int lanes) {
        var settlements = Settlements.none();
        settlements.dispatched().addAll(claim(outbox, lanes));
        outbox.settle(leases, settlements);
    }

    private void wait(Transaction transaction) {
        store.waitingKeys().add(transaction, DESTINATION, "key-1");
        store.waitingKeys().add(transaction, DESTINATION, "key-1");
        store.waitingKeys().among(transaction, DESTINATION, List.of("key-1", "key-2"));
        store.waitingKeys().addAll(transaction, "stored");
        store.waitingKeys().removeAll(transaction, "stored", "counted");
        store.waitingKeys().remove(transaction, DESTINATION, "key-1");
        store.waitingKeys().remove(transaction, DESTINATION, "key-1");
    }

    private void command() {
        CommandStore commands = store.commandStore();
        UUID id = UUID.randomUUID();
        var command = new CommandRecord(id, "Book", "key", "", id, 1, "{}", CommandStatus.PENDING, "", null);
        store.transactions().inTransaction(transaction -> {
            wait(transaction);
            commands.insertNew(transaction, List.of(command));
            commands.insert(transaction, command);
            commands.insert(
                    transaction,
                    new CommandRecord(id, "Book", "other", "", id, 1, "{}", CommandStatus.PENDING, "", null));
            commands.begin(transaction, id, 2);
            commands.refuse(transaction, command);
            commands.lock(transaction, List.of(id));
            return commands.end(transaction, id, 2, CommandStatus.COMPLETED, "{}");
        });
        completeMany(commands);
        commands.find(id);
        commands.over(List.of(id));
        commands.processing(List.of(id));
        commands.overdue(10);
        commands.countOver(Duration.ofHours(165));
        commands.removeOver(Duration.ofDays(6), 10);
    }

    private void completeMany(CommandStore commands) {
        List<UUID> ids = Stream.generate(UUID::randomUUID).limit(30).toList();
        store.transactions().inTransaction(transaction -> {
            ids.forEach(id -> commands.insertNew(
                    transaction,
                    List.of(new CommandRecord(
                            id, "Book", id.toString(), "", id, 1, "{}", CommandStatus.PENDING, "", null))));
            store.outboxStore()
                    .finish(transaction, () -> ids.forEach(id -> commands.complete(transaction, id, 1, "{}")));
            return ids;
        });
    }

    private void look() {
        store.waiting(Duration.ofMinutes(1)).waiting();
        OutboxAdmin admin = store.admin();
        admin.stats();
        StoredMessage message = admin.list(Selection.all(), 50_000, 10).get(0);
        admin.find(message.envelope().id());
        selections().forEach(selection -> {
            admin.list(selection, 50_000, 10);
            store.messageSearch().page(new MessageSearch.Query(selection, "", ""), 50_000, 10);
        });
        store.messageSearch().page(new MessageSearch.Query(Selection.all(), "key", "correlation"), 50_000, 10);
        admin.lastPosition();
        admin.count(Selection.failed().withError("timed out"));
        admin.count(Selection.failed().inErrorGroup("timed out"));
        scheduled();
        store.relayNodes();
        store.served();
        store.operationLog().write("somebody", "waybill outbox discard", "No longer wanted", () -> "3 discarded");
        store.operationLog()
                .begin(new OperationLog.Begin(UUID.randomUUID(), "somebody", "waybill failed retry", "Ink", ""))
                .run(progress -> {
                    progress.accept("500 so far");
                    return "700 retried";
                });
        store.operationLog().latest(10);
        store.operationLog().interrupted(10);
        assertThatThrownBy(() -> store.operationLog()
                        .beginRest(
                                new OperationLog.Begin(UUID.randomUUID(), "ann", "retry", "x", ""),
                                UUID.randomUUID(),
                                "Started again"))
                .hasMessageContaining("is not interrupted");
        store.leases();
        store.outboxFailures().groups(10);
        processes();
        var commands = store.commandAdmin();
        commands.find(UUID.randomUUID());
        commands.all(List.of(UUID.randomUUID(), UUID.randomUUID()));
        commands.correlated(UUID.randomUUID(), 10);
        commands.latest(CommandAdmin.Query.ANY, Duration.ofHours(1), 10);
        commands.latest(new CommandAdmin.Query("Book", "key", Set.of(CommandStatus.FAILED)), Duration.ofDays(1), 10);
    }

    private void scheduled() {
        ScheduledAdmin scheduled = store.scheduledMessages();
        List<ScheduledMessage> page = scheduled.list(ScheduledMessage.Position.START, 10);
        scheduled.list(page.get(9).position(), 10);
        scheduled.find(page.get(0).envelope().id());
        scheduled.makeDue(List.of(page.get(1).envelope().id()));
        scheduled.discard(List.of(page.get(2).envelope().id()), "No longer wanted");
    }

    private void processes() {
        ProcessAdmin processes = store.processAdmin();
        processes.counts(1_000);
        store.processStore(PayloadCodec.found()).active(10_000);
        processes.latest(ProcessAdmin.Query.ANY, ProcessAdmin.Position.START, 10).stream()
                .findFirst()
                .ifPresent(row -> {
                    processes.latest(ProcessAdmin.Query.ANY, row.position(), 10);
                    processes.latest(new ProcessAdmin.Query(Set.of(), row.type(), ""), row.position(), 10);
                    processes.latest(
                            new ProcessAdmin.Query(Set.of(row.status()), "", row.key()),
                            ProcessAdmin.Position.START,
                            10);
                });
    }

    private Stream<Selection> selections() {
        Stream<Selection> byStatus = Stream.of(OutboxStatus.values()).map(Selection::of);
        Selection failed = Selection.failed();
        return Stream.concat(
                byStatus,
                Stream.of(
                        failed.to(DESTINATION),
                        failed.ofType("OrderPlaced"),
                        failed.inOrderOf("key-1"),
                        failed.to(DESTINATION).inOrderOf("key-1"),
                        failed.withError("timed out"),
                        failed.olderThan(Duration.ofHours(1)),
                        Selection.of(failedMessages()),
                        Selection.all().to(DESTINATION),
                        Selection.all().ofType("OrderPlaced"),
                        Selection.all().inOrderOf("key-1"),
                        Selection.all().olderThan(Duration.ofHours(1))));
    }

    private void operate() {
        OutboxAdmin admin = store.admin();
        List<UUID> ids = failedMessages();
        admin.replay(Selection.of(ids.subList(0, 2)), "replayed", 0, 100);
        admin.redirect(Selection.failed(), "elsewhere", "redirected", 0, 10);
        admin.replay(Selection.failed().thatWereRetried(), "replayed", 0, 10);
        admin.replay(Selection.failed(), "replayed", 0, 10);
        admin.find(ids.get(20)).ifPresent(message -> admin.replay(message.envelope(), "edited"));
        admin.redirect(Selection.of(OutboxStatus.WAITING).withError("bad"), "elsewhere", "redirected", 0, 10);
        admin.unblock(keyOfParked().destination(), keyOfParked().partitionKey(), "unblocked");
        admin.discard(Selection.failed().inErrorGroup("none"), "No longer wanted", Long.MAX_VALUE, 10);
        admin.discard(Selection.failed().withError("timed out"), "No longer wanted", Long.MAX_VALUE, 10);
        admin.discard(Selection.of(OutboxStatus.HELD), "No longer wanted", Long.MAX_VALUE, 10);
        admin.discard(Selection.all(), "No longer wanted", Long.MAX_VALUE, 10);
    }

    private void cleanUp() {
        var cleanup = store.cleanup();
        cleanup.countDispatched(A_WEEK);
        cleanup.removeDispatched(Duration.ofDays(6), 0, 10, Archive.NONE);
        cleanup.removeDispatched(Duration.ofDays(6), 0, 10, Archive.TABLE);
        cleanup.removeDispatched(Duration.ofDays(6), 0, 10, Archive.to(messages -> {}));
        cleanup.countHandled(Duration.ofDays(30));
        cleanup.removeHandled(Duration.ofDays(29), 10);
    }

    private List<UUID> failedMessages() {
        return store.admin().list(Selection.failed(), 0, 30).stream()
                .map(message -> message.envelope().id())
                .toList();
    }

    private Envelope keyOfParked() {
        return store.admin().list(Selection.failed().withError("bad"), 0, 10).stream()
                .map(StoredMessage::envelope)
                .filter(Envelope::isOrdered)
                .findFirst()
                .orElseThrow();
    }

    private static List<ClaimedMessage> claim(OutboxStore outbox, int lanes) {
        Map<Lane, Integer> limits =
                outbox.lanes().stream().limit(lanes).collect(toMap(Function.<Lane>identity(), lane -> 20));
        outbox.claim(limits, A_FEW_BYTES);
        return outbox.claim(limits, Long.MAX_VALUE).messages();
    }

    private static List<ClaimedMessage> keyed(List<ClaimedMessage> messages) {
        return messages.stream()
                .filter(message -> message.envelope().isOrdered())
                .toList();
    }

    private static Lease leaseOf(ClaimedMessage message, List<Lease> leases) {
        return leases.stream()
                .filter(lease -> lease.shard() == message.shard())
                .findFirst()
                .orElseThrow();
    }

    private List<Lease> leaseAll(String relay) {
        LeaseTable table = store.leaseStore().renew(relay, ">**", List.of(), LEASE_TIME);
        List<LeaseStore.Wanted> all = table.owners().stream()
                .map(row -> new LeaseStore.Wanted(row, List.of()))
                .toList();
        return store.leaseStore().take(all, relay, LEASE_TIME).stream()
                .sorted(Comparator.comparing(LeaseStore.Taken::shard))
                .map(taken -> new Lease(store.leaseStore().pool(), taken.shard(), taken.token(), false))
                .toList();
    }

    private JdbcStore withoutRetention() {
        return JdbcStore.on(dataSource, JdbcStoreOptions.DEFAULT.withRetention(Duration.ZERO), Time.system());
    }

    static Message order(String key) {
        return Message.event("OrderPlaced", "{}").to(DESTINATION).inOrderOf(key);
    }
}
