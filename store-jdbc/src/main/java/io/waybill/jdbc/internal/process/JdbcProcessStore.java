package io.waybill.jdbc.internal.process;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.PayloadCodec;
import io.waybill.process.message.Decision;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessHeader;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore;
import io.waybill.process.store.StuckProcess;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Processes in a database: how one is found and locked. {@link ProcessWrites} write it, {@link ProcessReads} look at it. */
public final class JdbcProcessStore implements ProcessStore {

    private static final String FIND = """
            SELECT process_id FROM ${prefix}process_instance WHERE process_type = ? AND business_key = ?
            """;

    private static final String FIND_LATEST = FIND + " ${latest}";

    private static final String NOW = "SELECT ${now}";

    private static final String LOCK = "SELECT ${now}, " + ProcessRows.HEADER
            + "  FROM ${prefix}process_instance i WHERE i.process_id = ? FOR UPDATE";

    private static final String STEPS =
            "SELECT " + ProcessRows.STEP + "  FROM ${prefix}process_step s WHERE s.process_id = ? ORDER BY s.number";

    /** A locking read: under REPEATABLE READ another one would still see the steps as they were before the lock. */
    private static final String STEPS_ON_MYSQL = STEPS + " FOR UPDATE";

    private final Dialect dialect;
    private final String prefix;
    private final ProcessRows rows;
    private final ProcessWrites writes;
    private final ProcessReads reads;
    private final StuckReads stuck;
    private final ActiveReads active;
    private final RoundTrips roundTrips;
    private final Time time;

    public JdbcProcessStore(
            DataSource dataSource,
            Dialect dialect,
            String prefix,
            PayloadCodec codec,
            RoundTrips roundTrips,
            Time time) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.rows = new ProcessRows(dialect, codec);
        var events = new ProcessEvents(codec);
        this.roundTrips = roundTrips;
        this.writes = new ProcessWrites(dialect, prefix, rows, events, roundTrips);
        this.reads = new ProcessReads(new Jdbc(dataSource, dialect), dialect, prefix, rows, events, time);
        this.stuck = new StuckReads(new Jdbc(dataSource, dialect), dialect, prefix);
        this.active = new ActiveReads(new Jdbc(dataSource, dialect), dialect, prefix, time);
        this.time = time;
    }

    @Override
    public Optional<UUID> find(Transaction transaction, String processType, String businessKey) {
        return Jdbc.in(
                transaction,
                "look for a " + processType + " about '" + businessKey + "'",
                connection -> find(connection, FIND, processType, businessKey));
    }

    @Override
    public Map<UUID, UUID> insert(Transaction transaction, List<Decision> starts, Consumer<Decision> sends) {
        return Jdbc.in(transaction, "write " + starts.size() + " processes", connection -> {
            Set<UUID> written = writes.insert(connection, starts, sends);
            Map<UUID, UUID> existing = new HashMap<>();
            for (Decision start : starts) {
                ProcessHeader header = start.after().header();
                if (!written.contains(header.processId())) {
                    existing.put(header.processId(), existing(connection, header));
                }
            }
            return existing;
        });
    }

    private UUID existing(Connection connection, ProcessHeader header) throws SQLException {
        return find(connection, FIND_LATEST, header.processType(), header.businessKey())
                .orElseThrow(() -> new WaybillException("Another transaction has just started a " + header.processType()
                        + " about '" + header.businessKey() + "', and this one cannot see it. Roll it back and start"
                        + " again: then it is found."));
    }

    private Optional<UUID> find(Connection connection, String template, String processType, String businessKey)
            throws SQLException {
        return Jdbc.query(
                        connection,
                        sql(template),
                        statement -> {
                            statement.setString(1, processType);
                            statement.setString(2, businessKey);
                        },
                        row -> row.getObject(1, UUID.class))
                .stream()
                .findFirst();
    }

    @Override
    public Optional<Locked> lock(Transaction transaction, UUID processId) {
        return Jdbc.in(transaction, "read process " + processId, connection -> {
            roundTrips.flush();
            List<ProcessHeader> found = new ArrayList<>(1);
            List<Instant> now =
                    Jdbc.query(connection, sql(LOCK), statement -> statement.setObject(1, processId), row -> {
                        found.add(rows.header(row, 2));
                        return dialect.instant(row, 1).plus(time.offset());
                    });
            return found.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new Locked(ProcessState.restored(found.get(0), steps(connection, processId)), now.get(0)));
        });
    }

    @Override
    public Optional<ProcessState> read(Transaction transaction, UUID processId) {
        return Jdbc.in(transaction, "look at process " + processId, connection -> {
            roundTrips.flush();
            return reads.read(connection, processId);
        });
    }

    private List<StepExecution> steps(Connection connection, UUID processId) throws SQLException {
        return Jdbc.query(
                connection,
                sql(dialect.isMySql() ? STEPS_ON_MYSQL : STEPS),
                statement -> statement.setObject(1, processId),
                row -> rows.step(row, 1));
    }

    @Override
    public void save(Transaction transaction, Decision decision) {
        UUID id = decision.after().processId();
        Jdbc.in(transaction, "write process " + id, connection -> {
            writes.save(connection, decision);
            return id;
        });
    }

    @Override
    public List<UUID> due(Collection<Version> definitions, int limit) {
        return reads.due(definitions, limit);
    }

    @Override
    public Instant now(Transaction transaction) {
        return Jdbc.in(
                transaction,
                "ask for the time",
                connection -> Jdbc.query(
                                connection,
                                sql(NOW),
                                statement -> {},
                                row -> dialect.instant(row, 1).plus(time.offset()))
                        .get(0));
    }

    @Override
    public List<LoggedEvent> history(UUID processId) {
        return reads.history(processId);
    }

    @Override
    public Optional<ProcessState> read(UUID processId) {
        return reads.read(processId);
    }

    @Override
    public Optional<ProcessInstance> findById(UUID processId) {
        return reads.find(processId).map(ProcessHeader::instance);
    }

    @Override
    public List<ProcessEvent> findByProcessId(UUID processId) {
        return history(processId).stream().map(LoggedEvent::event).toList();
    }

    @Override
    public List<ProcessInstance> search(ProcessQuery query) {
        return reads.search(query);
    }

    @Override
    public List<StuckProcess> stuck(Collection<String> handledHere, int limit) {
        return stuck.find(handledHere, limit);
    }

    @Override
    public List<InFlight> inFlight() {
        return reads.inFlight();
    }

    @Override
    public List<Active> active(int most) {
        return active.count(most);
    }

    @Override
    public long countFinished(Duration ago) {
        return reads.countFinished(ago);
    }

    @Override
    public int removeFinished(Duration ago, int limit) {
        return reads.removeFinished(ago, limit);
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}
