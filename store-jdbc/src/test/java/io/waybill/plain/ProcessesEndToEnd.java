package io.waybill.plain;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.DomainCommand;
import io.waybill.message.Envelope;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.RelayListener;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessGraph;
import io.waybill.process.ProcessInstance;
import io.waybill.process.ProcessListener;
import io.waybill.process.ProcessQuery;
import io.waybill.process.ProcessState;
import io.waybill.process.ProcessStatus;
import io.waybill.relay.RelayOptions;
import io.waybill.testkit.MemoryBroker;
import io.waybill.testkit.services.TestDatabase;
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
import org.junit.jupiter.api.Test;

/** Processes whose steps run in this process, on a real database: every step one commit, the rows of the application with it. */
abstract class ProcessesEndToEnd {

    private final CountDownLatch slow = new CountDownLatch(1);
    private final CountDownLatch slowIsOver = new CountDownLatch(1);
    private TestDatabase database;
    private HikariDataSource pool;
    private Waybill waybill;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger charges = new AtomicInteger();
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

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

    /** Reserve and charge at once, then ship. */
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

    /** Writes what happened where the process's transaction is. */
    public final class Shop {
        public Map<String, Object> reserve(ReserveStockCommand command) {
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
            if (command.item().startsWith("broken")) {
                throw new IllegalStateException("no parcel for " + command.item());
            }
            write("ship", command.item(), 0);
        }
    }

    @SuppressWarnings("NullAway.Init")
    ProcessesEndToEnd() {}

    abstract TestDatabase newDatabase();

    @BeforeEach
    void start() {
        database = newDatabase();
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        pool = new HikariDataSource(config);
        execute("CREATE TABLE ledger (what VARCHAR(20) NOT NULL, account VARCHAR(60) NOT NULL, amount INT NOT NULL)");
        waybill = application(RelayOptions.DEFAULT.withHandlers(4)).start();
    }

    private WaybillBuilder application(RelayOptions options) {
        return Waybill.on(pool)
                .handlers(new Shop())
                .processes(new Purchase(), new Hurry())
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
        waybill.close();
        pool.close();
        database.close();
    }

    @Test
    void a_process_runs_to_its_end() {
        UUID id = waybill.processManager().startProcess("Purchase", "order-1", data("book"));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(instance(id).status()).isEqualTo(ProcessStatus.SUCCEEDED));

        assertThat(ledger()).containsExactlyInAnyOrder("reserve book -2", "charge card-1 -2", "ship book 0");
        assertThat(instance(id).data()).containsEntry("reserved", true);
        await().untilAsserted(() -> assertThat(heard).containsExactly("Purchase started", "Purchase SUCCEEDED"));
    }

    @Test
    void a_step_that_fails_undoes_what_was_done() {
        UUID id = waybill.processManager().startProcess("Purchase", "order-1", data("broken-vase"));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(instance(id).status()).isEqualTo(ProcessStatus.COMPENSATED));

        assertThat(ledger())
                .containsExactly(
                        "reserve broken-vase -2", "charge card-1 -2", "refund card-1 2", "release broken-vase 2");
    }

    @Test
    void many_processes_end_and_what_was_undone_balances() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ids.add(waybill.processManager()
                    .startProcess("Purchase", "order-" + i, data(i % 3 == 0 ? "broken-" + i : "book-" + i)));
        }

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(ids)
                        .allMatch(id -> List.of(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED)
                                .contains(instance(id).status())));

        assertThat(ledger().stream().filter(line -> line.contains("broken")).toList())
                .as("reserved and released")
                .hasSize(40);
        assertThat(waybill.processManager().stuck(10)).isEmpty();
    }

    @Test
    void processes_that_share_commits_are_written_like_those_that_do_not() {
        waybill.close();
        RelayOptions shared = RelayOptions.DEFAULT.withHandlers(2).withMessagesPerCommit(50);
        waybill = application(shared).relays(0).start();
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            ids.add(waybill.processManager()
                    .startProcess("Purchase", "order-" + i, data(i == 33 ? "broken-" + i : "book-" + i)));
        }
        waybill.close();
        waybill = application(shared).start();

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(ids).allMatch(id -> instance(id).status().isFinished()));

        assertThat(ids.stream()
                        .filter(id -> instance(id).status() != ProcessStatus.SUCCEEDED)
                        .map(id -> waybill.processManager().explain(id)))
                .as("those that did not succeed")
                .hasSize(1);
        assertThat(ledger()).hasSize(69 * 3 + 4);
        var store = waybill.store().processStore(PayloadCodec.found());
        assertThat(ids).allSatisfy(id -> {
            ProcessState replayed = ProcessState.replayed(id, store.history(id));
            ProcessState stored = store.read(id).orElseThrow();
            assertThat(stored.header()).isEqualTo(replayed.header());
            assertThat(stored.executions()).containsExactlyElementsOf(replayed.executions());
        });
    }

    @Test
    void in_a_shared_commit_a_process_goes_on_as_long_as_there_is_room() {
        assertThat(messagesOfAPurchase(50))
                .as("the first step brings the others along")
                .containsExactly("ReserveStock");
        assertThat(messagesOfAPurchase(2)).as("room for two").containsExactlyInAnyOrder("ReserveStock", "Ship");
        assertThat(messagesOfAPurchase(1))
                .as("a commit of its own")
                .containsExactlyInAnyOrder("ReserveStock", "ChargeCard", "Ship");
    }

    /** The steps that went through the outbox, as they were told: a handler's thread tells after its commit, when another may already do the next step. */
    private List<String> messagesOfAPurchase(int perCommit) {
        waybill.close();
        List<String> sent = new CopyOnWriteArrayList<>();
        waybill = application(RelayOptions.DEFAULT.withMessagesPerCommit(perCommit))
                .listener(new RelayListener() {
                    @Override
                    public void published(List<Envelope> messages, Duration lag) {
                        messages.forEach(message -> sent.add(message.type()));
                    }
                })
                .start();
        UUID id = waybill.processManager().startProcess("Purchase", "order of " + perCommit, data("book"));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(instance(id).status()).isEqualTo(ProcessStatus.SUCCEEDED));
        waybill.stop();
        assertThat(count("SELECT count(*) FROM command WHERE status = 'COMPLETED' AND correlation_id = '" + id + "'"))
                .isEqualTo(3);
        assertThat(count("SELECT count(*) FROM ledger")).isEqualTo(3);
        execute("DELETE FROM ledger");
        return sent;
    }

    @Test
    void what_goes_to_a_broker_is_not_done_in_the_commit_of_the_step_before() {
        waybill.close();
        var broker = new MemoryBroker();
        waybill = application(RelayOptions.DEFAULT.withMessagesPerCommit(50))
                .route("APP.CMD.CHARGECARD.Q", broker)
                .start();

        waybill.processManager().startProcess("Purchase", "order-1", data("book"));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(broker.accepted()).hasSize(1));
        assertThat(ledger()).containsExactly("reserve book -2");
    }

    @Test
    void a_step_that_answers_with_ten_megabytes_is_undone_and_the_reason_said() {
        UUID id = waybill.processManager()
                .startProcess("Purchase", "order-1", Map.of("item", "book", "amount", 2, "card", "long-1"));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(instance(id).status()).isEqualTo(ProcessStatus.COMPENSATED));

        assertThat(ledger())
                .containsExactly("reserve book -2", "charge long-1 -2", "refund long-1 2", "release book 2");
        assertThat(waybill.processManager().explain(id)).contains("a process keeps at most 1048576");
        assertThat(count("SELECT max(length(event_data)) FROM process_log")).isLessThan(10_000);
    }

    @Test
    void a_step_whose_compensation_comes_while_it_is_still_at_work_is_refused_at_its_end() {
        UUID id = waybill.processManager().startProcess("Hurry", "order-1", data("slow-piano"));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(instance(id).status()).isEqualTo(ProcessStatus.COMPENSATED));
        assertThat(slowIsOver.getCount()).as("the handler is still at work").isEqualTo(1);

        slow.countDown();
        awaitEnd(slowIsOver);
        UUID next = waybill.processManager().startProcess("Hurry", "order-2", data("book"));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(instance(next).status()).isEqualTo(ProcessStatus.SUCCEEDED));
        waybill.stop();

        assertThat(ledger()).as("neither done nor undone").containsExactly("reserve book -2", "ship book 0");
        assertThat(instance(id).status()).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(count("SELECT count(*) FROM command WHERE status IN ('PENDING', 'PROCESSING')"))
                .isZero();
    }

    @Test
    void what_another_node_has_changed_meanwhile_is_not_written_over() {
        try (Waybill other = Waybill.on(pool)
                .processes(new Purchase(), new Hurry())
                .relays(0)
                .build()) {
            meanwhile.set(() -> {
                UUID id = other.processManager().search(ProcessQuery.ANY).get(0).processId();
                other.processManager().pause(id, "let me see");
                other.processManager().resume(id, "seen");
            });
            UUID id = waybill.processManager().startProcess("Purchase", "order-1", data("book"));

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(instance(id).status()).isEqualTo(ProcessStatus.SUCCEEDED));

            assertThat(charges)
                    .as("decided on an old state, undone, decided again")
                    .hasValue(2);
            assertThat(ledger()).containsExactlyInAnyOrder("reserve book -2", "charge card-1 -2", "ship book 0");
            assertThat(waybill.store().processStore(PayloadCodec.found()).findByProcessId(id).stream()
                            .map(event -> event.getClass().getSimpleName()))
                    .contains("ProcessPaused", "ProcessResumed");
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long count(String sql) {
        try (var connection = pool.getConnection();
                var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> data(String item) {
        return Map.of("item", item, "amount", 2, "card", "card-1");
    }

    private ProcessInstance instance(UUID id) {
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

    private List<String> ledger() {
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

    private void execute(String sql) {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
