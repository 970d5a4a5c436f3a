package io.waybill.jdbc.layout.claim;

import static java.util.stream.Collectors.toMap;

import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.LayoutRows;
import io.waybill.jdbc.layout.table.LayoutRows.Row;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.Payload;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lane;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The next rows of an adopted table: read in their order, and claimed where others take rows of it too. */
final class LayoutClaim {

    /** A claim that is written takes longer, and what a relay that crashes has claimed stays so until the claims are over. */
    private static final int MAX_CLAIMED_ROWS = 500;

    private final LayoutSql sql;
    private final LayoutRows rows;
    private final Optional<RowClaims> claims;
    private final long maxPayload;
    private volatile boolean othersSend;

    LayoutClaim(LayoutSql sql, LayoutRows rows, Optional<RowClaims> claims, long maxPayload) {
        this.sql = sql;
        this.rows = rows;
        this.claims = claims;
        this.maxPayload = maxPayload;
    }

    Claim next(
            Connection connection,
            Map<Lane, Integer> limits,
            ClaimExclusions exclusions,
            long maxBytes,
            boolean somethingWaits)
            throws SQLException {
        if (othersSend) {
            lookForOthers(connection);
        }
        List<Row> candidates = candidates(connection, limits, inline(maxBytes, rows(limits)), somethingWaits);
        List<Row> free = candidates.stream()
                .filter(row -> !exclusions.includes(row.message()))
                .toList();
        Claim claim = taken(connection, free, maxBytes);
        boolean more = claims.isPresent() && candidates.size() >= MAX_CLAIMED_ROWS;
        return new Claim(claim.messages(), claim.cut() || more);
    }

    /** Looks whether another relay has begun to send rows: as long as that is so, these wait with their keys. */
    void lookForOthers(Connection connection) throws SQLException {
        othersSend = sql.columns().has(ColumnMeaning.STARTED_AT)
                && Jdbc.query(connection, sql.anyStarted(), none -> {}, row -> row.getBoolean(1))
                        .get(0);
    }

    /** What would be claimed next, and is not. */
    Claim peek(Connection connection, Map<Lane, Integer> limits, long maxBytes, boolean somethingWaits)
            throws SQLException {
        Fitting fitting =
                fitting(candidates(connection, limits, inline(maxBytes, rows(limits)), somethingWaits), maxBytes);
        return new Claim(messages(withPayloads(connection, fitting.rows())), fitting.cut());
    }

    /** Those of these rows that are still to be sent. */
    Map<String, Row> byId(Connection connection, List<String> ids, long maxBytes) throws SQLException {
        return Jdbc.query(
                        connection,
                        sql.byId(ids, inline(maxBytes, ids.size())),
                        sql.ids().binder(ids),
                        row -> rows.read(row, State.DUE))
                .stream()
                .collect(toMap(row -> row.message().place(), row -> row));
    }

    /** A power of two, so that there are few different statements. */
    private long inline(long maxBytes, long rows) {
        long each = Math.min(maxPayload, maxBytes / Math.max(1, rows));
        return Long.highestOneBit(Math.min(Integer.MAX_VALUE, Math.max(1, each)));
    }

    private List<Row> candidates(Connection connection, Map<Lane, Integer> limits, long inline, boolean somethingWaits)
            throws SQLException {
        List<String> arms = claims.isPresent()
                ? List.of(
                        sql.claim(somethingWaits, inline, sql.unclaimed()),
                        sql.claim(somethingWaits, inline, sql.abandoned()))
                : List.of(sql.claim(somethingWaits, inline, othersSend ? sql.notStarted() : ""));
        List<String> union = new ArrayList<>();
        limits.forEach((lane, limit) -> union.addAll(arms));
        List<Row> found = Jdbc.query(
                connection,
                String.join(" UNION ALL ", union),
                statement -> {
                    int at = 1;
                    for (var limit : limits.entrySet()) {
                        for (int arm = 0; arm < arms.size(); arm++) {
                            for (int i = 0; i < sql.laneParameters(); i++) {
                                statement.setString(at++, limit.getKey().destination());
                            }
                            statement.setInt(at++, claims.isPresent() ? claimable(limit.getValue()) : limit.getValue());
                        }
                    }
                },
                row -> rows.read(row, State.READY));
        return claims.isPresent() ? first(found, limits) : sorted(found);
    }

    /** Both arms gave as many as were asked for: the first of them all are those. */
    private static List<Row> first(List<Row> found, Map<Lane, Integer> limits) {
        int most = limits.values().stream().mapToInt(LayoutClaim::claimable).sum();
        List<Row> sorted = sorted(found);
        return sorted.subList(0, Math.min(most, sorted.size()));
    }

    private static int claimable(int limit) {
        return Math.min(limit, MAX_CLAIMED_ROWS);
    }

    /** Each lane comes in its order; where that is no number, the order of the statement counts. */
    private static List<Row> sorted(List<Row> found) {
        List<Row> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingLong(row -> row.message().position()));
        return sorted;
    }

    private static long rows(Map<Lane, Integer> limits) {
        return limits.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** As many of them as may be taken at once, claimed where that is written. */
    Claim taken(Connection connection, List<Row> found, long maxBytes) throws SQLException {
        Fitting fitting = fitting(found, maxBytes);
        List<Row> mine = claims.isPresent() ? claims.get().take(connection, fitting.rows()) : fitting.rows();
        return new Claim(messages(withPayloads(connection, mine)), fitting.cut());
    }

    /** The first rows, as many as fit, and whether there are more. */
    private record Fitting(List<Row> rows, boolean cut) {}

    private Fitting fitting(List<Row> found, long maxBytes) {
        List<Row> candidates = found.stream()
                .map(row -> row.length() > maxPayload ? row.tooLarge(maxPayload) : row)
                .toList();
        Map<String, Long> lengths = lengths(candidates);
        Claim fitting =
                Claim.upTo(maxBytes, messages(candidates), message -> lengths.getOrDefault(message.place(), 0L));
        return new Fitting(candidates.subList(0, fitting.messages().size()), fitting.cut());
    }

    private static List<ClaimedMessage> messages(List<Row> rows) {
        return rows.stream().map(Row::message).toList();
    }

    private static Map<String, Long> lengths(List<Row> candidates) {
        return candidates.stream().collect(toMap(row -> row.message().place(), Row::length, (one, other) -> one));
    }

    private List<Row> withPayloads(Connection connection, List<Row> some) throws SQLException {
        List<String> missing = some.stream()
                .filter(row -> !row.withPayload())
                .map(row -> row.message().place())
                .toList();
        if (missing.isEmpty()) {
            return some;
        }
        Map<String, Payload> found = new HashMap<>();
        Jdbc.query(connection, sql.payloads(missing), sql.ids().binder(missing), row -> {
            Payload payload = rows.payload(row, 2);
            if (payload != null) {
                found.put(row.getString(1), payload);
            }
            return true;
        });
        List<Row> complete = new ArrayList<>();
        for (Row row : some) {
            Payload payload = found.get(row.message().place());
            if (row.withPayload()) {
                complete.add(row);
            } else if (payload != null) {
                complete.add(row.with(payload));
            }
        }
        return complete;
    }
}
