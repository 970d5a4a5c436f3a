package io.waybill.server.relay;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Signals;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.schema.DatabaseRole;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.Cleanup;
import io.waybill.ops.OutboxOperations;
import io.waybill.ops.WaitingWatch;
import io.waybill.process.store.ProcessStore;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.database.DatabaseErrors;
import io.waybill.server.database.Pools;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A source that is connected and checked: what a relay needs of it, whichever layout it has. */
public interface OpenSource extends AutoCloseable {

    /** Says what is worth a look when a source is opened. */
    Logger log = LoggerFactory.getLogger(OpenSource.class);

    OutboxStore outboxStore();

    LeaseStore leaseStore();

    List<DestinationStats> stats();

    /** What waits in its tables; of tables of others only the keys are known. */
    WaitingSource waiting();

    /** How many processes are not finished; none in tables of others. */
    List<ProcessStore.Active> processes(int most);

    /** Its connections. */
    HikariDataSource pool();

    /** Removes what was sent before the retention began. */
    void cleanUp();

    /** Tells when something may have been appended, where the database can. */
    Optional<Signals> signals();

    @Override
    void close();

    /** Connects, creates what may be created, checks. */
    static OpenSource of(RelayConfig.Source source) {
        HikariDataSource pool;
        try {
            pool = Pools.connected(source.database());
        } catch (SQLException e) {
            throw DatabaseErrors.explained(source.database(), e);
        }
        try {
            return source.layout().isPresent() ? adopted(source, source.layout().get(), pool) : ownTables(source, pool);
        } catch (WaybillException e) {
            pool.close();
            throw DatabaseErrors.explained(source.database(), e);
        }
    }

    private static OpenSource adopted(RelayConfig.Source source, Layout layout, HikariDataSource pool) {
        boolean keepsSent = !source.retention().isZero();
        AdoptedTable table = AdoptedTable.open(
                pool, layout, source.setup(), Time.system(), source.pool(), source.maxPayload(), keepsSent);
        table.notices().forEach(notice -> log.warn("{}", notice));
        return new Adopted(table, source.retention(), pool);
    }

    private static OpenSource ownTables(RelayConfig.Source source, HikariDataSource pool) {
        JdbcStoreOptions options = JdbcStoreOptions.DEFAULT
                .withPrefix(source.prefix())
                .withRetention(source.retention())
                .withMaxPayload(source.maxPayload());
        JdbcStore store =
                JdbcStore.on(pool, source.unorderedIds() ? options.acceptingUnorderedIds() : options, Time.system());
        if (source.setup() == AdoptedTable.Setup.NOTHING) {
            store.schema().validate(pool);
        } else {
            store.schema().apply(pool);
        }
        store.rights(DatabaseRole.RELAY).require(pool);
        return new Own(store, store.processStore(PayloadCodec.found()), source, pool);
    }

    /** Somebody else's table. */
    record Adopted(AdoptedTable table, Duration retention, HikariDataSource pool) implements OpenSource {

        private static final int REMOVED_AT_ONCE = 1_000;

        @Override
        public OutboxStore outboxStore() {
            return table.outboxStore();
        }

        @Override
        public LeaseStore leaseStore() {
            return table.leaseStore();
        }

        @Override
        public List<DestinationStats> stats() {
            return table.stats();
        }

        @Override
        public WaitingSource waiting() {
            return table::waiting;
        }

        @Override
        public List<ProcessStore.Active> processes(int most) {
            return List.of();
        }

        @Override
        public void cleanUp() {
            int removed = REMOVED_AT_ONCE;
            while (removed == REMOVED_AT_ONCE) {
                removed = table.removeDone(retention, REMOVED_AT_ONCE);
            }
        }

        @Override
        public Optional<Signals> signals() {
            return Optional.empty();
        }

        @Override
        public void close() {
            try (DataSourceCloser closing = pool::close) {
                table.close();
            }
        }
    }

    /** Waybill's own tables. */
    record Own(JdbcStore store, ProcessStore processes, RelayConfig.Source source, HikariDataSource pool)
            implements OpenSource {

        @Override
        public OutboxStore outboxStore() {
            return store.outboxStore();
        }

        @Override
        public LeaseStore leaseStore() {
            return store.leaseStore(source.pool());
        }

        @Override
        public List<DestinationStats> stats() {
            return new OutboxOperations(store.admin()).stats();
        }

        @Override
        public WaitingSource waiting() {
            return store.waiting(WaitingWatch.PATIENCE);
        }

        @Override
        public List<ProcessStore.Active> processes(int most) {
            return processes.active(most);
        }

        @Override
        public void cleanUp() {
            if (!source.retention().isZero()) {
                new Cleanup(store.cleanup()).outbox(Cleanup.Options.olderThan(source.retention()), soFar -> {});
            }
        }

        @Override
        public Optional<Signals> signals() {
            return store.signals();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** Closes what must be closed, whatever else fails. */
    @FunctionalInterface
    interface DataSourceCloser extends AutoCloseable {
        @Override
        void close();
    }
}
