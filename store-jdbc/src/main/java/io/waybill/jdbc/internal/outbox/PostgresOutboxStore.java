package io.waybill.jdbc.internal.outbox;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.CopyRows;
import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.internal.sql.PostgresArrays;
import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.Envelope;
import io.waybill.store.GoneException;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** The hot path on PostgreSQL: a batch is one statement, whatever its size. */
final class PostgresOutboxStore extends JdbcOutboxStore {

    private static final String COPY = """
            COPY ${prefix}outbox
                 (outbox_id, category, type, message_key, partition_key, payload, payload_binary, headers, destination)
            FROM STDIN (FORMAT binary)
            """;

    /** Walks from destination to destination in the index instead of over every row. */
    private static final String DESTINATIONS = """
            WITH RECURSIVE found AS (
                (SELECT o.destination FROM ${prefix}outbox o
                  WHERE o.status = 'PENDING' AND o.available_at IS NULL
                  ORDER BY o.destination LIMIT 1)
                UNION ALL
                SELECT next.destination FROM found, LATERAL (
                    SELECT o.destination FROM ${prefix}outbox o
                     WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination > found.destination
                     ORDER BY o.destination LIMIT 1) next
            )
            SELECT destination FROM found
            """;

    /**
     * Shares are numbered as they were given, so that their names need not come back with every row. A share that has nothing gives a
     * row without an id; the last one never has, and its row says which server this is, how often there was a rewind, and whether any key is blocked. Every
     * column costs the server and the driver time, even an empty one: what is small is one {@link About number}, and what is as usual is
     * left out.
     */
    private static final String CLAIM = """
            SELECT o.id,
                   CASE WHEN o.id IS NULL
                        THEN (rewinds.total << 1) | EXISTS (SELECT 1 FROM ${prefix}outbox_blocked_key)::int
                        ELSE (share.number << 38) | (o.retry_count::bigint << 7) | (o.shard << 1) | (${is_blocked})::int END,
                   o.outbox_id, NULLIF(o.category, 'event'), o.type, NULLIF(o.message_key, ''), o.partition_key, ${payloads},
                   NULLIF(${headers}, '')
              FROM unnest(?::text[], ?::text[], ?::int[], ?::bigint[], ?::bigint[]) WITH ORDINALITY
                   AS share (destination, shards, row_limit, mark, rewind, number)
             CROSS JOIN (SELECT (${server} << ${rewind_bits}) | (sum(rewind)::bigint & ((1 << ${rewind_bits}) - 1)) AS total
                           FROM ${prefix}relay_lease) rewinds
              LEFT JOIN LATERAL (
                   SELECT ${shard} AS shard, o.* FROM ${prefix}outbox o
                    WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination = share.destination
                      AND o.id > CASE WHEN rewinds.total = share.rewind THEN share.mark ELSE 0 END
                      ${ours}
                      ${except}
                    ORDER BY o.id LIMIT share.row_limit) o ON TRUE
              ${blocked}
            """;

    /** Looked up only when there is a blocked key. */
    private static final String BLOCKED = """
            LEFT JOIN ${prefix}outbox_blocked_key b
              ON b.destination = o.destination AND b.partition_key = o.partition_key
            """;

    /** Not needed by a relay that owns all shards. The index knows the shard, so rows of others are not looked at. */
    private static final String OURS = "AND ${shard} = ANY (share.shards::int[])";

    /** Looked up row by row in a hash table, whatever the number of keys. */
    private static final String EXCEPT = """
            AND NOT (o.partition_key <> ''
                     AND (o.destination, o.partition_key) IN (SELECT * FROM unnest(?::text[], ?::text[])))
            AND o.id <> ALL (?::bigint[])
            """;

    /** How often everything is read from its start where nothing was found. */
    private static final Duration BETWEEN_FORGETTING = Duration.ofSeconds(1);

    /** A claim gets nothing of it. */
    private static final LaneGroup NOTHING = new LaneGroup("", Map.of());

    /** The rest of a number of which one bit and those of the server are taken. */
    private static final int REWIND_BITS = 29;

    private final ServerKnowledge knowledge;
    private final Time time;
    private final PostgresRemoval taking;
    private volatile Time.@Nullable Stopwatch sinceForgetting;

    /** Whether a key was blocked when that was asked last: a claim asks again each time. */
    private volatile boolean anyBlocked;

    PostgresOutboxStore(DataSource dataSource, JdbcStoreOptions options, RoundTrips roundTrips, Time time) {
        super(dataSource, Dialect.POSTGRESQL, options, roundTrips, time);
        this.time = time;
        this.knowledge = new ServerKnowledge(options.prefix(), time);
        this.taking = new PostgresRemoval(options);
    }

    @Override
    void append(Connection connection, List<Envelope> messages) throws SQLException {
        if (messages.size() > 1 && connection.isWrapperFor(PGConnection.class)) {
            CopyRows.append(connection.unwrap(PGConnection.class), sql(COPY), messages);
        } else {
            super.append(connection, messages);
        }
    }

    /** All lanes of the destinations that have something: which of them it is in, a claim finds out. */
    @Override
    Set<Lane> lanes(Connection connection) throws SQLException {
        List<String> destinations = Jdbc.query(connection, sql(DESTINATIONS), statement -> {}, row -> row.getString(1));
        Time.@Nullable Stopwatch since = sinceForgetting;
        if (since == null || since.hasReached(BETWEEN_FORGETTING)) {
            sinceForgetting = time.stopwatch();
            knowledge.latest().marks().forgetTheIdle();
        }
        return destinations.stream()
                .flatMap(destination -> IntStream.range(0, SHARDS).mapToObj(shard -> new Lane(shard, destination)))
                .collect(toCollection(LinkedHashSet::new));
    }

    @Override
    String place() {
        return "''";
    }

    @Override
    String these(Collection<ClaimedMessage> messages) {
        return messages.stream()
                .map(message -> message.envelope().id().toString())
                .collect(joining("', '", "o.outbox_id IN ('", "')"));
    }

    @Override
    List<ClaimedMessage> claim(
            Connection connection, Map<Lane, Integer> limits, ClaimExclusions exclusions, ClaimedPayloads payloads)
            throws SQLException {
        ServerKnowledge.Learnt learnt = knowledge.on(connection);
        VisibilityHorizon.Certain certain = learnt.horizon().certain();
        List<LaneGroup> groups = groups(limits);
        List<LowWaterMarks.Mark> from = groups.stream().map(learnt.marks()::of).toList();
        Found found = find(connection, groups, from, exclusions, payloads);
        learnt.marks().claimed(groups, found.rows, found.rewind, certain.on(found.server()), exclusions.lanes());
        return found.rows.stream().map(Row::message).toList();
    }

    @Override
    List<ClaimedMessage> prefetch(Connection connection, Map<Lane, Integer> limits, ClaimedPayloads payloads)
            throws SQLException {
        ServerKnowledge.Learnt learnt = knowledge.on(connection);
        VisibilityHorizon.Certain certain = learnt.horizon().certain();
        List<LaneGroup> groups = groups(limits);
        List<LowWaterMarks.Mark> from =
                groups.stream().flatMap(learnt.marks()::after).toList();
        if (from.size() < groups.size()) {
            return List.of();
        }
        Found found = find(connection, groups, from, ClaimExclusions.NOTHING, payloads);
        return learnt.marks().prefetched(groups, found.rows, found.rewind, certain.on(found.server()))
                ? found.rows.stream().map(Row::message).toList()
                : List.of();
    }

    private static List<LaneGroup> groups(Map<Lane, Integer> limits) {
        List<LaneGroup> groups = PostgresArrays.filledUp(LaneGroup.of(limits), NOTHING);
        groups.add(NOTHING);
        return groups;
    }

    private Found find(
            Connection connection,
            List<LaneGroup> groups,
            List<LowWaterMarks.Mark> from,
            ClaimExclusions exclusions,
            ClaimedPayloads payloads)
            throws SQLException {
        boolean looked = anyBlocked;
        Found found = find(connection, groups, from, exclusions, payloads, looked);
        anyBlocked = found.anyBlocked;
        if (anyBlocked && !looked) {
            found = find(connection, groups, from, exclusions, payloads, true);
        }
        found.rows.sort(Comparator.comparingLong(row -> row.message().position()));
        return found;
    }

    private Found find(
            Connection connection,
            List<LaneGroup> groups,
            List<LowWaterMarks.Mark> from,
            ClaimExclusions exclusions,
            ClaimedPayloads payloads,
            boolean withBlocked)
            throws SQLException {
        boolean whole = groups.stream().allMatch(group -> group.limit() == 0 || group.isWhole());
        String claim = CLAIM.replace("${server}", knowledge.server(connection))
                .replace("${rewind_bits}", String.valueOf(REWIND_BITS))
                .replace("${ours}", whole ? "" : OURS)
                .replace("${except}", exclusions.isNothing() ? "" : EXCEPT)
                .replace("${is_blocked}", withBlocked ? "b.outbox_id IS NOT NULL" : "FALSE")
                .replace("${blocked}", withBlocked ? BLOCKED : "");
        var found = new Found(groups, payloads);
        Jdbc.query(
                connection,
                sql(claim, payloads),
                statement -> {
                    statement.setArray(1, PostgresArrays.texts(connection, groups, LaneGroup::destination));
                    statement.setArray(2, PostgresArrays.texts(connection, groups, LaneGroup::shards));
                    statement.setArray(3, PostgresArrays.ints(connection, groups, LaneGroup::limit));
                    statement.setArray(4, PostgresArrays.longs(connection, from, LowWaterMarks.Mark::position));
                    statement.setArray(5, PostgresArrays.longs(connection, from, LowWaterMarks.Mark::rewind));
                    if (!exclusions.isNothing()) {
                        statement.setArray(6, PostgresArrays.texts(connection, exclusions.keys(), Key::destination));
                        statement.setArray(7, PostgresArrays.texts(connection, exclusions.keys(), Key::partitionKey));
                        statement.setArray(
                                8, PostgresArrays.longs(connection, exclusions.positions(), Long::longValue));
                    }
                },
                found::add);
        return found;
    }

    /**
     * A claimed message.
     *
     * @param group the number of its share
     */
    record Row(int group, ClaimedMessage message) {}

    /** What a claim finds. */
    private static final class Found {
        private final List<LaneGroup> groups;
        private final ClaimedPayloads payloads;
        private final List<Row> rows = new ArrayList<>();
        private long rewind;
        private boolean anyBlocked;

        long server() {
            return rewind >> REWIND_BITS;
        }

        Found(List<LaneGroup> groups, ClaimedPayloads payloads) {
            this.groups = groups;
            this.payloads = payloads;
        }

        boolean add(ResultSet row) throws SQLException {
            long position = row.getLong(1);
            long about = row.getLong(2);
            if (position == 0) {
                rewind = about >> 1;
                anyBlocked = (about & 1) == 1;
                return false;
            }
            int group = About.group(about);
            return rows.add(
                    new Row(group, read(row, position, about, groups.get(group).destination())));
        }

        private ClaimedMessage read(ResultSet row, long position, long about, String destination) throws SQLException {
            Envelopes.Reading message = Envelopes.read(row, 3, destination);
            if (!message.withPayload()) {
                payloads.leaveOut(message.envelope().id());
            }
            return new ClaimedMessage(
                    position,
                    About.shard(about),
                    About.attempts(about),
                    About.state(about),
                    message.problem(),
                    "",
                    message.envelope());
        }
    }

    /** What is small about a claimed row, from the lowest bit on: whether its key is blocked, its shard, its attempts, its share. */
    private static final class About {

        static State state(long about) {
            return (about & 1) == 1 ? State.BLOCKED : State.READY;
        }

        static int shard(long about) {
            return (int) (about >> 1) & SHARDS - 1;
        }

        static int attempts(long about) {
            return (int) (about >> 7) & Integer.MAX_VALUE;
        }

        /** Shares are counted from 1 in the statement. */
        static int group(long about) {
            return (int) (about >> 38) - 1;
        }
    }

    @Override
    int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException {
        int dispatched = taking.take(connection, leases, sent, true);
        knowledge.on(connection).horizon().advance(connection, dispatched);
        return dispatched;
    }

    @Override
    int hold(Connection connection, List<ClaimedMessage> messages) throws SQLException {
        int held = taking.hold(connection, messages);
        return held < messages.size() ? held + super.hold(connection, messages) : held;
    }

    /** One that was never refused goes with everything else that is written at the end. */
    @Override
    boolean take(Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept)
            throws SQLException {
        ClaimedMessage first = messages.get(0);
        if (messages.size() > 1 || first.state() != State.READY) {
            return taking.take(connection, leases, messages, kept) == messages.size();
        }
        for (Lease lease : leases) {
            roundTrips.writeOne(
                    connection,
                    taking.one(kept),
                    PostgresRemoval.values(lease, first),
                    () -> new GoneException(first.envelope().id()));
        }
        return !leases.isEmpty();
    }

    @Override
    void settled(List<ClaimedMessage> messages) {
        knowledge.latest().marks().settled(messages);
    }
}
