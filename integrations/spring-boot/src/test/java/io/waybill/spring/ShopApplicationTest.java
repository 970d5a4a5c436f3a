package io.waybill.spring;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.command.BusinessKey;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandOptions;
import io.waybill.message.Message;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.runtime.Waybill;
import io.waybill.spring.TestShop.CountCommand;
import io.waybill.spring.TestShop.Heard;
import io.waybill.spring.TestShop.OrderCancelled;
import io.waybill.spring.TestShop.Orders;
import io.waybill.spring.TestShop.ReserveCommand;
import io.waybill.spring.TestShop.Shop;
import io.waybill.store.NoTransactionException;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** A whole application on PostgreSQL: what its services write and what Waybill writes is one commit, or nothing. */
final class ShopApplicationTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static TestDatabase database;
    private static ConfigurableApplicationContext context;
    private static JdbcTemplate jdbc;
    private static Orders orders;

    @BeforeAll
    static void start() {
        database = Postgres.shared().newDatabase();
        context = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password(),
                        "waybill.table-prefix=wb_",
                        "waybill.inbox.attempts=1",
                        "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
                .run();
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("CREATE TABLE ledger (what VARCHAR(100) NOT NULL)");
        orders = context.getBean(Orders.class);
    }

    @AfterAll
    static void stop() {
        context.close();
        database.close();
    }

    @Test
    void a_row_and_its_message_are_one_commit() {
        orders.place("o-1");

        await().atMost(SOON).untilAsserted(() -> assertThat(ledger("%o-1")).containsOnly("placed o-1", "mailed o-1"));
    }

    @Test
    void a_rollback_leaves_nothing() {
        long before = messages();

        assertThatThrownBy(() -> orders.placeInVain("o-2")).hasMessage("no o-2");

        assertThat(ledger("%o-2")).isEmpty();
        assertThat(messages()).isEqualTo(before);
    }

    @Test
    void nothing_is_appended_outside_of_a_transaction() {
        assertThatThrownBy(() -> context.getBean(Outbox.class)
                        .append(Message.event("Lost", "{}").to("orders.lost")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("this thread has none")
                .hasMessageContaining("@Transactional");
    }

    @Test
    void what_fails_after_a_commit_neither_stops_the_rest_nor_tells_the_caller_otherwise() {
        var ran = new ArrayList<String>();

        String result = context.getBean(Waybill.class).transactions().inTransaction(transaction -> {
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

        assertThatThrownBy(() -> context.getBean(Waybill.class).transactions().inTransaction(transaction -> {
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
    void an_application_event_leaves_with_its_transaction() {
        orders.cancel("o-3");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger("%o-3")).containsOnly("told of o-3 in order of o-3"));
    }

    @Test
    void an_application_event_of_a_transaction_that_rolls_back_is_never_sent() {
        assertThatThrownBy(() -> orders.cancelInVain("o-16")).hasMessage("no o-16");
        assertThatThrownBy(() -> context.publishEvent(new OrderCancelled("o-17")))
                .isInstanceOf(NoTransactionException.class);

        assertThat(jdbc.queryForList("SELECT payload FROM wb_outbox WHERE destination = 'orders.cancelled'"))
                .noneMatch(
                        row -> row.toString().contains("o-16") || row.toString().contains("o-17"));
    }

    @Test
    void a_command_is_handled_by_a_transactional_service() {
        var answer = context.getBean(CommandBus.class)
                .send(new ReserveCommand("o-4", 2), idempotencyKey("k-4"))
                .await(SOON);

        assertThat(answer.reply().toString()).contains("Completed");
        assertThat(ledger("%o-4")).containsOnly("reserved o-4");
    }

    @Test
    void an_event_of_a_command_that_is_tried_again_reaches_each_subscriber_once() {
        context.getBean(CommandBus.class)
                .send(new CountCommand("o-18"), idempotencyKey("k-18"))
                .await(SOON);

        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(ledger("%o-18")).containsExactlyInAnyOrder("reported o-18", "filed o-18"));
    }

    @Test
    void a_command_whose_service_fails_leaves_only_its_answer() {
        var answer = context.getBean(CommandBus.class)
                .send(new ReserveCommand("o-5", -1), idempotencyKey("k-5"), BusinessKey.NONE, CommandOptions.DEFAULT)
                .await(SOON);

        assertThat(answer.reply().toString()).contains("Failed").contains("cannot reserve -1");
        assertThat(ledger("%o-5")).isEmpty();
    }

    @Test
    void a_command_of_a_transaction_that_rolls_back_never_runs() {
        assertThatThrownBy(() -> orders.reserveInVain("o-6")).hasMessage("no o-6");
        orders.place("o-6b");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger("mailed o-6b")).isNotEmpty());
        assertThat(ledger("%o-6")).isEmpty();
    }

    @Test
    void a_process_runs_and_undoes_what_it_did() {
        var processes = context.getBean(ProcessManager.class);
        processes.startProcess("Purchase", "p-7", Map.of("order", "o-7", "amount", 1));
        processes.startProcess("Purchase", "p-8", Map.of("order", "broken-o-8", "amount", 1));

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger("%o-7")).containsExactly("reserved o-7", "shipped o-7"));
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(ledger("%o-8")).containsExactly("reserved broken-o-8", "released broken-o-8"));
    }

    @Test
    void a_subscriber_that_fails_is_put_among_the_failed_messages() {
        orders.append("orders.refused", "o-9");

        var failed = context.getBean(FailedMessages.class);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                failed.list(FailedSelection.all().notHandledBy("Mails.refuse"), 0, 10))
                        .isNotEmpty()
                        .allSatisfy(message -> assertThat(message.toString()).contains("orders.refused")));
        assertThat(ledger("%o-9")).isEmpty();
    }

    @Test
    void a_subscriber_that_swallows_what_doomed_its_transaction_has_failed() {
        orders.append("orders.swallowed", "o-10");

        var failed = context.getBean(FailedMessages.class);
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(failed.list(FailedSelection.all().notHandledBy("Mails.swallow"), 0, 10))
                                .hasSize(1));
        assertThat(ledger("%o-10")).isEmpty();
    }

    @Test
    void meters_show_what_waits_and_what_has_failed() {
        MeterRegistry registry = new SimpleMeterRegistry();
        context.getBean(SpringMeters.class).bindTo(registry);
        orders.append("nowhere.yet", "o-11");
        orders.append("orders.refused", "o-15");

        await().atMost(SOON)
                .ignoreExceptionsInstanceOf(MeterNotFoundException.class)
                .untilAsserted(() -> {
                    assertThat(gauge(registry.get("waybill.outbox.backlog"))).isGreaterThanOrEqualTo(1);
                    assertThat(gauge(registry.get("waybill.outbox.destination.backlog")
                                    .tag("destination", "nowhere.yet")))
                            .isEqualTo(1);
                    assertThat(gauge(registry.get("waybill.failed.messages"))).isGreaterThanOrEqualTo(1);
                });
    }

    private static double gauge(RequiredSearch search) {
        return search.gauge().value();
    }

    @Test
    void meters_count_how_processes_end_and_commands_that_are_tried_again() {
        MeterRegistry registry = new SimpleMeterRegistry();
        context.getBean(SpringMeters.class).bindTo(registry);
        var processes = context.getBean(ProcessManager.class);

        processes.startProcess("Purchase", "p-12", Map.of("order", "o-12", "amount", 1));
        processes.startProcess("Purchase", "p-13", Map.of("order", "broken-o-13", "amount", 1));
        context.getBean(CommandBus.class)
                .send(new CountCommand("o-14"), idempotencyKey("k-14"))
                .await(SOON);

        await().atMost(SOON).untilAsserted(() -> {
            assertThat(count(registry, "waybill.process.ended", "status", "succeeded"))
                    .isEqualTo(1);
            assertThat(count(registry, "waybill.process.ended", "status", "compensated"))
                    .isEqualTo(1);
            assertThat(count(registry, "waybill.process.started", "type", "Purchase"))
                    .isEqualTo(2);
            assertThat(count(registry, "waybill.command.retries", "type", "Count"))
                    .isEqualTo(1);
        });
        assertThat(context.getBean(Heard.class).ended)
                .as("a listener of the application is told beside the meters")
                .contains("Purchase COMPENSATED");
    }

    private static double count(MeterRegistry registry, String name, String tag, String value) {
        return registry.get(name).tag(tag, value).counter().count();
    }

    private static List<String> ledger(String like) {
        return jdbc.queryForList("SELECT what FROM ledger WHERE what LIKE ?", String.class, like);
    }

    private static long messages() {
        return jdbc.queryForList("SELECT outbox_id FROM wb_outbox WHERE destination LIKE 'orders%'")
                .size();
    }
}
