package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micronaut.context.ApplicationContext;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandReply;
import io.waybill.command.IdempotencyKey;
import io.waybill.message.Message;
import io.waybill.micronaut.health.WaybillLiveness;
import io.waybill.micronaut.health.WaybillReadiness;
import io.waybill.micronaut.shop.Commands.HesitateCommand;
import io.waybill.micronaut.shop.Commands.HideFailureCommand;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;
import io.waybill.micronaut.shop.Ledger;
import io.waybill.micronaut.shop.Notebook;
import io.waybill.micronaut.shop.Notes;
import io.waybill.micronaut.shop.Shop;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.runtime.Waybill;
import io.waybill.store.NoTransactionException;
import io.waybill.store.Transactions;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One application context on a database: what an application written by the guide does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ApplicationContract {

    private static final Duration SOON = Duration.ofSeconds(30);

    private TestDatabase database;
    private ApplicationContext context;
    private Shop shop;
    private Ledger ledger;

    @SuppressWarnings("NullAway.Init")
    ApplicationContract() {}

    abstract TestDatabase newDatabase();

    @BeforeAll
    void start() {
        database = newDatabase();
        context = ApplicationContext.run(Map.of(
                "datasources.default.url",
                database.jdbcUrl(),
                "datasources.default.username",
                database.user(),
                "datasources.default.password",
                database.password(),
                "datasources.default.maximum-pool-size",
                12,
                "waybill.inbox.attempts",
                1,
                "waybill.handlers.concurrency",
                4));
        shop = context.getBean(Shop.class);
        ledger = context.getBean(Ledger.class);
    }

    @AfterAll
    void stop() {
        context.close();
        database.close();
    }

    @Test
    void a_rollback_leaves_nothing() {
        int messages = ledger.count("outbox");

        assertThatThrownBy(() -> shop.order("nothing", true)).hasMessageContaining("changed its mind");

        assertThat(ledger.lines()).noneMatch(line -> line.contains("nothing"));
        assertThat(ledger.count("outbox")).isLessThanOrEqualTo(messages);
        assertThat(processes().search(ProcessQuery.ANY.about("nothing"))).isEmpty();
        assertThat(ledger.count("command WHERE business_key = 'nothing'")).isZero();
    }

    @Test
    void a_commit_leaves_everything_and_all_of_it_happens() {
        UUID id = shop.order("book", false);

        await().atMost(SOON).untilAsserted(() -> assertThat(status(id)).isEqualTo(ProcessStatus.SUCCEEDED));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger.lines().stream()
                                .filter(line -> line.endsWith(" book"))
                                .toList())
                        .containsExactlyInAnyOrder("order book", "reserve book", "reserve book", "charge book"));
    }

    @Test
    void what_micronaut_data_saves_and_its_message_are_one_commit_or_nothing() throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE \"note\" (\"id\" VARCHAR(20) PRIMARY KEY, \"text\" VARCHAR(20))");
        }
        Notebook notebook = context.getBean(Notebook.class);

        notebook.write("kept", false);
        assertThatThrownBy(() -> notebook.write("lost", true)).hasMessageContaining("lost the pen");

        assertThat(context.getBean(Notes.class).existsById("kept")).isTrue();
        assertThat(context.getBean(Notes.class).existsById("lost")).isFalse();
        assertThat(ledger.count("outbox WHERE destination = 'notes.kept'")).isEqualTo(1);
        assertThat(ledger.count("outbox WHERE destination = 'notes.lost'")).isZero();
    }

    @Test
    void a_command_is_handled_once_in_the_transaction_of_its_handler() {
        CommandBus commands = context.getBean(CommandBus.class);

        var first = commands.send(new ReserveStockCommand("lamp", 3), new IdempotencyKey("lamp"));
        Map<?, ?> answer = first.await(SOON).as(Map.class);
        commands.send(new ReserveStockCommand("lamp", 3), new IdempotencyKey("lamp"))
                .await(SOON);

        assertThat(answer.get("reserved")).isEqualTo(true);
        assertThat(ledger.lines()).containsOnlyOnce("reserve lamp");
    }

    @Test
    void a_step_that_fails_leaves_no_row_and_undoes_what_was_done() {
        UUID id = processes().startProcess("Purchase", "broken-vase", Map.of("item", "broken-vase", "amount", 2));

        await().atMost(SOON).untilAsserted(() -> assertThat(status(id)).isEqualTo(ProcessStatus.COMPENSATED));

        assertThat(ledger.lines().stream().filter(line -> line.contains("vase")).toList())
                .containsExactly("reserve broken-vase", "release broken-vase");
    }

    @Test
    void a_handler_that_hides_the_failure_of_its_transaction_has_failed() {
        CommandBus commands = context.getBean(CommandBus.class);

        var reply = commands.send(new HideFailureCommand("secret"), new IdempotencyKey("secret"))
                .await(SOON);

        assertThat(reply.reply()).isInstanceOf(CommandReply.Failed.class);
        assertThat(ledger.lines()).noneMatch(line -> line.contains("secret"));
    }

    @Test
    void a_message_wakes_its_subscriber_after_the_commit() {
        var waybill = context.getBean(Waybill.class);
        var received = new CopyOnWriteArrayList<String>();
        waybill.subscribe("shop.woken", "test", String.class, message -> received.add(message.payload()));

        context.getBean(Transactions.class)
                .inTransaction(transaction -> context.getBean(Outbox.class)
                        .append(Message.event("Woken", Map.of("who", "everybody"))
                                .to("shop.woken")));

        await().atMost(SOON).untilAsserted(() -> assertThat(received).hasSize(1));
    }

    @Test
    void what_fails_after_a_commit_neither_stops_the_rest_nor_tells_the_caller_otherwise() {
        var ran = new ArrayList<String>();

        String result = context.getBean(Transactions.class).inTransaction(transaction -> {
            transaction.afterCommit(() -> ran.add("first"));
            transaction.afterCommit(() -> {
                throw new IllegalStateException("a bug behind the commit");
            });
            transaction.afterCommit(() -> ran.add("last"));
            return "committed";
        });

        assertThat(result).isEqualTo("committed");
        assertThat(ran).containsExactlyInAnyOrder("first", "last");
    }

    @Test
    void an_error_after_a_commit_comes_through_when_the_rest_has_run() {
        var ran = new ArrayList<String>();

        assertThatThrownBy(() -> context.getBean(Transactions.class).inTransaction(transaction -> {
                    transaction.afterCommit(() -> ran.add("first"));
                    transaction.afterCommit(() -> {
                        throw new LinkageError("a class that is missing");
                    });
                    return transaction.afterCommit(() -> ran.add("last"));
                }))
                .isInstanceOf(LinkageError.class);

        assertThat(ran).containsExactlyInAnyOrder("first", "last");
    }

    @Test
    void appending_without_a_transaction_says_what_to_do() {
        assertThatThrownBy(shop::appendAlone)
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("@Transactional");
    }

    @Test
    void health_is_up_with_database_and_outbox() {
        var ready = context.getBean(WaybillReadiness.class).getHealthInformation();
        var alive = context.getBean(WaybillLiveness.class).getHealthInformation();

        assertThat(ready)
                .containsEntry("database", "UP")
                .containsEntry("outbox", "UP")
                .containsEntry("receiving", "UP");
        assertThat(alive).containsEntry("default", "UP");
    }

    @Test
    void an_annotated_method_gets_its_messages() {
        context.getBean(Transactions.class)
                .inTransaction(transaction -> context.getBean(Outbox.class)
                        .append(Message.event("Posted", Map.of("who", "everybody"))
                                .to("shop.posted")
                                .header("tenant", "blue")));

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger.lines()).contains("posted everybody", "tenant blue"));
    }

    @Test
    void what_happens_is_counted() {
        MeterRegistry registry = context.getBean(MeterRegistry.class);
        UUID good = processes().startProcess("Purchase", "counted", Map.of("item", "counted", "amount", 2));
        UUID bad = processes().startProcess("Purchase", "broken-count", Map.of("item", "broken-count", "amount", 2));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(List.of(status(good), status(bad)))
                        .containsExactly(ProcessStatus.SUCCEEDED, ProcessStatus.COMPENSATED));

        await().atMost(SOON).untilAsserted(() -> {
            assertThat(ended(registry, "succeeded")).isPositive();
            assertThat(ended(registry, "compensated")).isPositive();
        });
        assertThat(registry.get("hikaricp.connections.max").gauge().value()).isEqualTo(12);
    }

    @Test
    void what_waits_and_what_has_failed_is_counted() {
        MeterRegistry registry = context.getBean(MeterRegistry.class);
        append("nowhere.yet");
        append("nowhere.yet");
        append("shop.refused");

        await().atMost(SOON)
                .ignoreExceptionsInstanceOf(MeterNotFoundException.class)
                .untilAsserted(() -> {
                    assertThat(registry.get("waybill.outbox.backlog").gauge().value())
                            .isGreaterThanOrEqualTo(2);
                    assertThat(registry.get("waybill.outbox.destination.backlog")
                                    .tag("destination", "nowhere.yet")
                                    .gauge()
                                    .value())
                            .isEqualTo(2);
                    assertThat(registry.get("waybill.failed.messages").gauge().value())
                            .isEqualTo(1);
                });
        assertThat(context.getBean(FailedMessages.class).count(FailedSelection.all()))
                .isEqualTo(1);
    }

    @Test
    void an_event_of_a_command_that_is_tried_again_reaches_each_subscriber_once() {
        context.getBean(CommandBus.class)
                .send(new HesitateCommand("twice"), new IdempotencyKey("twice"))
                .await(SOON);

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger.lines().stream()
                                .filter(line -> line.endsWith(" twice"))
                                .toList())
                        .containsExactlyInAnyOrder("reported twice", "filed twice"));
    }

    @Test
    void a_command_that_is_tried_again_is_counted() {
        double before = retries();
        context.getBean(CommandBus.class)
                .send(new HesitateCommand("once"), new IdempotencyKey("once"))
                .await(SOON);

        await().atMost(SOON).untilAsserted(() -> assertThat(retries()).isEqualTo(before + 1));
    }

    private double retries() {
        @Nullable
        Counter counter = context.getBean(MeterRegistry.class)
                .find("waybill.command.retries")
                .tag("type", "Hesitate")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private void append(String destination) {
        context.getBean(Transactions.class)
                .inTransaction(transaction -> context.getBean(Outbox.class)
                        .append(Message.event("Posted", Map.of("who", "somebody"))
                                .to(destination)));
    }

    private static double ended(MeterRegistry registry, String status) {
        return registry.get("waybill.process.ended")
                .tag("type", "Purchase")
                .tag("status", status)
                .counter()
                .count();
    }

    private ProcessManager processes() {
        return context.getBean(ProcessManager.class);
    }

    private ProcessStatus status(UUID id) {
        return processes().search(ProcessQuery.ANY.ofType("Purchase")).stream()
                .filter(process -> process.processId().equals(id))
                .findFirst()
                .orElseThrow()
                .status();
    }
}
