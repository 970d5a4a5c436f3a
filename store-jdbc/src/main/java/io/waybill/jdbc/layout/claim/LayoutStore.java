package io.waybill.jdbc.layout.claim;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutRows;
import io.waybill.jdbc.layout.table.LayoutRows.Row;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.layout.table.RefusedRows;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.Envelope;
import io.waybill.store.GoneException;
import io.waybill.store.Transaction;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import io.waybill.store.outbox.TriedMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An adopted table as an outbox. It is written by others: here it is only claimed and settled. */
public final class LayoutStore implements OutboxStore {

    private static final int RESTORED_AT_ONCE = 1_000;

    private final Layout layout;
    private final Jdbc jdbc;
    private final LayoutSql sql;
    private final RefusedRows waiting;
    private final Optional<RowClaims> claims;
    private final LayoutClaim layoutClaim;
    private final LayoutSettlement settling;

    public LayoutStore(
            Layout layout,
            Jdbc jdbc,
            LayoutSql sql,
            LayoutRows rows,
            RefusedRows waiting,
            Time time,
            long maxPayload,
            boolean keepsSent) {
        this.layout = layout;
        this.jdbc = jdbc;
        this.sql = sql;
        this.waiting = waiting;
        this.claims = layout.rowClaims().map(claim -> new RowClaims(claim, sql, time));
        this.layoutClaim = new LayoutClaim(sql, rows, claims, maxPayload);
        this.settling = new LayoutSettlement(layout, sql, waiting, time, keepsSent);
    }

    @Override
    public void append(Transaction transaction, List<Envelope> messages) {
        throw written();
    }

    @Override
    public void appendTried(Transaction transaction, List<TriedMessage> messages) {
        throw written();
    }

    @Override
    public void schedule(Transaction transaction, Envelope message, Duration delay) {
        throw written();
    }

    @Override
    public long nextNumber(Transaction transaction, String destination, String partitionKey) {
        throw written();
    }

    private WaybillException written() {
        return new WaybillException("The table " + layout.table() + " (layout " + layout.name()
                + ") is written by its own application. To append with Waybill, use its own outbox table.");
    }

    @Override
    public int appendScheduled(int limit) {
        return 0;
    }

    @Override
    public Set<Lane> lanes() {
        if (!sql.columns().has(ColumnMeaning.DESTINATION)) {
            return Set.of(new Lane(LayoutRows.shard(layout.destination()), layout.destination()));
        }
        return jdbc.autoCommit(
                "look for messages to send in " + layout.table(),
                connection -> new LinkedHashSet<>(Jdbc.query(connection, sql.lanes(), none -> {}, row -> {
                    String destination = row.getString(1);
                    return new Lane(LayoutRows.shard(destination), destination);
                })));
    }

    @Override
    public Claim claim(Map<Lane, Integer> limits, ClaimExclusions exclusions, long maxBytes) {
        if (limits.isEmpty()) {
            return Claim.NOTHING;
        }
        return work("claim messages of " + layout.table(), connection -> {
            settling.started();
            return layoutClaim.next(connection, limits, exclusions, maxBytes, waiting.isAnyThere(connection));
        });
    }

    /** Others write and claim in ways that are not ours: nothing is certain here. */
    @Override
    public Claim prefetch(Map<Lane, Integer> limits, List<ClaimedMessage> underWay, long maxBytes) {
        return Claim.NOTHING;
    }

    /** A claim that is written needs a transaction; the others are single statements. */
    private <T> T work(String what, Jdbc.Work<T> work) {
        return claims.isPresent() ? jdbc.transaction(what, work) : jdbc.autoCommit(what, work);
    }

    /** To be called before the first claim: what the relay before us has begun to send is left to it for a while. */
    public void lookForOthers() {
        jdbc.autoCommit("look for another relay of " + layout.table(), connection -> {
            layoutClaim.lookForOthers(connection);
            return true;
        });
    }

    /** What would be claimed next, and is not. */
    public Claim peek(int limit, long maxBytes, boolean withWaiting) {
        Map<Lane, Integer> limits = lanes().stream().collect(toMap(lane -> lane, lane -> limit));
        if (limits.isEmpty()) {
            return Claim.NOTHING;
        }
        lookForOthers();
        return jdbc.autoCommit("look at messages of " + layout.table(), connection -> {
            boolean somethingWaits = withWaiting && waiting.isAnyThere(connection);
            return layoutClaim.peek(connection, limits, maxBytes, somethingWaits);
        });
    }

    @Override
    public List<ClaimedMessage> claimDue(Collection<Lease> leases, Set<String> except, int limit, long maxBytes) {
        Set<Integer> shards = leases.stream().map(Lease::shard).collect(toSet());
        return work("claim messages of " + layout.table() + " that wait for another attempt", connection -> {
            if (claims.isPresent() && !except.contains(layout.destination())) {
                // Nothing is on its way: what is still claimed was left out of a batch.
                claims.get().release(connection);
            }
            if (leases.isEmpty() || !waiting.isAnyThere(connection)) {
                return List.<ClaimedMessage>of();
            }
            settling.forgetRestored(connection, RESTORED_AT_ONCE);
            List<String> due = waiting.due(connection, except, limit).stream()
                    .filter(entry -> shards.contains(LayoutRows.shard(entry.destination())))
                    .map(RefusedRows.Due::id)
                    .toList();
            return due.isEmpty() ? List.<ClaimedMessage>of() : due(connection, due, maxBytes);
        });
    }

    private List<ClaimedMessage> due(Connection connection, List<String> ids, long maxBytes) throws SQLException {
        Map<String, Row> found = layoutClaim.byId(connection, ids, maxBytes);
        settling.forgetGone(connection, ids, found.keySet());
        List<Row> inOrder =
                ids.stream().filter(found::containsKey).map(found::get).toList();
        return layoutClaim.taken(connection, inOrder, maxBytes).messages();
    }

    @Override
    public boolean noteAttempt(Lease lease, ClaimedMessage message, int attempts, String error) {
        return jdbc.transaction(
                "note an attempt to send row " + message.place() + " of " + layout.table(),
                connection -> settling.note(connection, lease, message, attempts, error));
    }

    @Override
    public int settle(Collection<Lease> leases, Settlements settlements) {
        boolean nothing = settlements.isEmpty()
                && (claims.isEmpty() || settlements.returned().isEmpty());
        if (nothing || leases.isEmpty()) {
            return 0;
        }
        int settled = 0;
        if (settling.isPlain(settlements)) {
            settled = jdbc.autoCommit(
                    "settle messages of " + layout.table(),
                    connection -> settling.dispatch(connection, leases, settlements.dispatched()));
        }
        if (settled == 0) {
            settled = jdbc.transaction(
                    "settle messages of " + layout.table(),
                    connection -> settling.settle(connection, leases, settlements));
        }
        claims.ifPresent(claimed -> claimed.settled(settling.places(settlements)));
        return settled;
    }

    @Override
    public void take(Transaction transaction, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept) {
        if (claims.isPresent()) {
            throw new WaybillException(
                    "Rows of " + layout.table() + " are claimed for others to see, which is not done while a"
                            + " handler runs. Send them to a broker, or handle messages from Waybill's own outbox.");
        }
        boolean taken = Jdbc.in(
                transaction,
                "take messages of " + layout.table(),
                connection -> settling.take(connection, leases, messages));
        if (!taken) {
            throw new GoneException(messages.get(0).envelope().id());
        }
    }

    /** What waits in an adopted table is found by joining it with its row: what is gone holds nobody up. */
    @Override
    public int repairKeys(Collection<Lease> leases) {
        return 0;
    }

    /** Says that claimed rows are still being worked on. */
    void keepAlive() {
        claims.ifPresent(claimed -> claimed.keepAlive(jdbc));
    }

    /** Takes back what is claimed and was not sent. */
    public void release() {
        claims.ifPresent(claimed -> jdbc.autoCommit("release claimed rows of " + layout.table(), connection -> {
            claimed.release(connection);
            return true;
        }));
    }
}
