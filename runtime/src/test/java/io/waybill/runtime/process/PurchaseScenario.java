package io.waybill.runtime.process;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.DomainCommand;
import io.waybill.message.PayloadCodec;
import io.waybill.process.ProcessListener;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessStatus;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A shop that sells by processes, on a real database; every step is a handler of this process. */
abstract class PurchaseScenario {

    final CountDownLatch slow = new CountDownLatch(1);
    final CountDownLatch slowIsOver = new CountDownLatch(1);
    private TestDatabase database;
    HikariDataSource pool;
    Waybill waybill;
    final List<String> heard = new CopyOnWriteArrayList<>();
    final AtomicInteger reservations = new AtomicInteger();
    final AtomicInteger charges = new AtomicInteger();
    final AtomicInteger parcels = new AtomicInteger();
    final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    /** Reserves stock. */
    public record ReserveStockCommand(String item, int amount) implements DomainCommand {}

    /** Gives stock back. */
    public record ReleaseStockCommand(String item, int amount) implements DomainCommand {}

    /** Takes money. */
    public record ChargeCardCommand(String card, int amount) implements DomainCommand {}

    /** Gives money back. */
    public record RefundCardCommand(String card, int amount) implements DomainCommand {}

    /** Sends the parcel. */
    public record ShipCommand(String item) implements DomainCommand {}

    /** Reserve, charge, ship. */
    static final class Purchase implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Purchase";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveStockCommand.class)
                    .withCompensation(ReleaseStockCommand.class)
                    .then(ChargeCardCommand.class)
                    .withCompensation(RefundCardCommand.class)
                    .then(ShipCommand.class)
                    .end();
        }
    }

    /** Reserve, within a second. */
    static final class Hurry implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Hurry";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveStockCommand.class)
                    .withTimeout(Duration.ofSeconds(1))
                    .withCompensation(ReleaseStockCommand.class)
                    .then(ShipCommand.class)
                    .end();
        }
    }

    /** Charge, and reserve within a second, which nothing undoes. */
    static final class Impatient implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Impatient";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ChargeCardCommand.class)
                    .withCompensation(RefundCardCommand.class)
                    .then(ReserveStockCommand.class)
                    .withTimeout(Duration.ofSeconds(1))
                    .end();
        }
    }

    /** Purchase, once it is approved. */
    static final class Approved implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Approved";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveStockCommand.class)
                    .withCompensation(ReleaseStockCommand.class)
                    .thenWaitFor("Approval")
                    .thenProcess("Purchase")
                    .end();
        }
    }

    /** Writes what happened where the process's transaction is. */
    public final class Shop {
        public Map<String, Object> reserve(ReserveStockCommand command) {
            reservations.incrementAndGet();
            write("reserve", command.item(), -command.amount());
            if (command.item().startsWith("slow")) {
                awaitEnd(slow);
                slowIsOver.countDown();
            }
            return Map.of("reserved", true);
        }

        public void release(ReleaseStockCommand command) {
            write("release", command.item(), command.amount());
        }

        public Map<String, Object> charge(ChargeCardCommand command) {
            write("charge", command.card(), -command.amount());
            charges.incrementAndGet();
            meanwhile.getAndSet(() -> {}).run();
            return command.card().startsWith("long") ? Map.of("receipt", "x".repeat(10 << 20)) : Map.of();
        }

        public void refund(RefundCardCommand command) {
            write("refund", command.card(), command.amount());
        }

        public void ship(ShipCommand command) {
            parcels.incrementAndGet();
            if (command.item().startsWith("broken")) {
                throw new IllegalStateException("no parcel for " + command.item());
            }
            write("ship", command.item(), 0);
        }
    }

    @SuppressWarnings("NullAway.Init")
    PurchaseScenario() {}

    abstract TestDatabase newDatabase();

    @BeforeEach
    void start() {
        database = newDatabase();
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        pool = new HikariDataSource(config);
        execute("CREATE TABLE ledger (what VARCHAR(20) NOT NULL, account VARCHAR(60) NOT NULL, amount INT NOT NULL)");
        begin(application(RelayOptions.DEFAULT.withHandlers(4)));
    }

    /** This application instead of the one before. */
    void run(WaybillBuilder application) {
        waybill.close();
        begin(application);
    }

    /** It must be known before it starts: handlers use it. */
    private void begin(WaybillBuilder application) {
        waybill = application.build();
        waybill.start();
    }

    WaybillBuilder application(RelayOptions options) {
        return Waybill.on(pool)
                .handlers(new Shop())
                .processes(new Purchase(), new Hurry(), new Impatient())
                .relay(options)
                .processListener(new ProcessListener() {
                    @Override
                    public void started(String processType) {
                        heard.add(processType + " started");
                    }

                    @Override
                    public void ended(String processType, ProcessStatus status) {
                        heard.add(processType + " " + status);
                    }
                });
    }

    @AfterEach
    void stop() {
        try {
            assertThat(waybill.processManager().stuck(10)).isEmpty();
        } finally {
            waybill.close();
            pool.close();
            database.close();
        }
    }

    static void awaitEnd(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long count(String sql) {
        try (var connection = pool.getConnection();
                var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void awaitStatus(UUID id, ProcessStatus status) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(instance(id).status()).isEqualTo(status));
    }

    static Map<String, Object> data(String item) {
        return Map.of("item", item, "amount", 2, "card", "card-1");
    }

    ProcessInstance instance(UUID id) {
        return waybill.store().processStore(PayloadCodec.found()).findById(id).orElseThrow();
    }

    private void write(String what, String account, int amount) {
        try (var insert = waybill.transactions()
                .current()
                .unwrap(Connection.class)
                .prepareStatement("INSERT INTO ledger VALUES (?, ?, ?)")) {
            insert.setString(1, what);
            insert.setString(2, account);
            insert.setInt(3, amount);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> ledger() {
        try (var connection = pool.getConnection();
                var rows = connection.createStatement().executeQuery("SELECT what, account, amount FROM ledger")) {
            var lines = new ArrayList<String>();
            while (rows.next()) {
                lines.add(List.of(rows.getString(1), rows.getString(2), rows.getString(3)).stream()
                        .collect(joining(" ")));
            }
            return lines;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String sql) {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
