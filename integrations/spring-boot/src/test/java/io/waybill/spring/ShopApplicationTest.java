package io.waybill.spring;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.command.BusinessKey;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandOptions;
import io.waybill.command.DomainCommand;
import io.waybill.command.Retryable;
import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessGraph;
import io.waybill.process.ProcessListener;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessStatus;
import io.waybill.store.FailedSelection;
import io.waybill.store.NoTransactionException;
import io.waybill.telemetry.WaybillMeters;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

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
    void an_application_event_leaves_with_its_transaction() {
        orders.cancel("o-3");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger("%o-3")).containsOnly("told of o-3 in order of o-3"));
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
                        .singleElement()
                        .satisfies(message -> assertThat(message.toString()).contains("orders.refused")));
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
    void meters_show_the_backlog() {
        MeterRegistry registry = new SimpleMeterRegistry();
        context.getBean(WaybillMeters.class).bindTo(registry);
        orders.append("nowhere.yet", "o-11");

        assertThat(registry.get("waybill.outbox.backlog").gauge().value()).isGreaterThanOrEqualTo(1);
        assertThat(registry.get("waybill.outbox.destination.backlog")
                        .tag("destination", "nowhere.yet")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("waybill.failed.messages").gauge().value()).isGreaterThanOrEqualTo(0);
    }

    @Test
    void meters_count_how_processes_end_and_commands_that_are_tried_again() {
        MeterRegistry registry = new SimpleMeterRegistry();
        context.getBean(WaybillMeters.class).bindTo(registry);
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

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Stock.class, Mails.class, Desk.class, Purchase.class})
    static class Shop {
        @Bean
        Heard heard() {
            return new Heard();
        }

        @Bean
        WaybillCustomizer listen(Heard heard) {
            return builder -> builder.processListener(heard);
        }

        @Bean
        String unrelated() {
            return "not a handler";
        }
    }

    /** A listener of the application's own. */
    static final class Heard implements ProcessListener {
        final Queue<String> ended = new ConcurrentLinkedQueue<>();

        @Override
        public void ended(String processType, ProcessStatus status) {
            ended.add(processType + " " + status);
        }
    }

    /** Fails at first, in a way that goes away. */
    public record CountCommand(String order) implements DomainCommand {}

    /** It will go away. */
    static final class NotYetException extends RuntimeException implements Retryable {
        NotYetException() {
            super("not yet");
        }
    }

    /** An order was placed. */
    @MessageType("OrderPlaced")
    public record OrderPlaced(String order) {}

    /** An order was cancelled, which others hear of. */
    @MessageType("OrderCancelled")
    @AppendTo(value = "orders.cancelled", inOrderOf = "order")
    public record OrderCancelled(String order) {}

    /** Reserves stock. */
    public record ReserveCommand(String order, int amount) implements DomainCommand {}

    /** Gives stock back. */
    public record ReleaseCommand(String order) implements DomainCommand {}

    /** Sends the parcel. */
    public record ShipCommand(String order) implements DomainCommand {}

    /** Writes rows and messages. */
    @Component
    @Transactional
    static class Orders {
        private final JdbcTemplate jdbc;
        private final Outbox outbox;
        private final CommandBus commands;
        private final ApplicationEventPublisher events;

        Orders(JdbcTemplate jdbc, Outbox outbox, CommandBus commands, ApplicationEventPublisher events) {
            this.jdbc = jdbc;
            this.outbox = outbox;
            this.commands = commands;
            this.events = events;
        }

        public void place(String order) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "placed " + order);
            outbox.append(
                    Message.event(new OrderPlaced(order)).to("orders.placed").inOrderOf(order));
        }

        public void placeInVain(String order) {
            place(order);
            throw new IllegalStateException("no " + order);
        }

        public void cancel(String order) {
            events.publishEvent(new OrderCancelled(order));
        }

        public void reserveInVain(String order) {
            commands.accept(new ReserveCommand(order, 1), idempotencyKey(order), BusinessKey.NONE);
            throw new IllegalStateException("no " + order);
        }

        public void append(String destination, String order) {
            outbox.append(Message.event("Order", order).as("text/plain").to(destination));
        }
    }

    /** Handles commands, and needs the outbox for it. */
    @Component
    static class Stock {
        private final JdbcTemplate jdbc;
        private final Set<String> counted = ConcurrentHashMap.newKeySet();

        @SuppressWarnings("unused")
        Stock(JdbcTemplate jdbc, Outbox outbox, ProcessManager processes) {
            this.jdbc = jdbc;
        }

        @Transactional(propagation = Propagation.MANDATORY)
        public Map<String, Object> reserve(ReserveCommand command) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "reserved " + command.order());
            if (command.amount() < 0) {
                throw new IllegalArgumentException("cannot reserve " + command.amount());
            }
            return Map.of("reserved", command.amount());
        }

        public void count(CountCommand command) {
            if (counted.add(command.order())) {
                throw new NotYetException();
            }
        }

        @Transactional
        public void release(ReleaseCommand command) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "released " + command.order());
        }

        @Transactional
        public void ship(ShipCommand command) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "shipped " + command.order());
            if (command.order().startsWith("broken")) {
                throw new IllegalStateException("no parcel for " + command.order());
            }
        }
    }

    /** Handles messages. */
    @Component
    static class Mails {
        private final JdbcTemplate jdbc;
        private final Orders orders;

        Mails(JdbcTemplate jdbc, Orders orders) {
            this.jdbc = jdbc;
            this.orders = orders;
        }

        @SubscribeTo(value = "orders.placed", handler = "mails")
        @Transactional
        public void send(OrderPlaced placed) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "mailed " + placed.order());
        }

        @SubscribeTo("${shop.cancellations:orders.cancelled}")
        void tell(Received<OrderCancelled> cancelled) {
            jdbc.update(
                    "INSERT INTO ledger VALUES (?)",
                    "told of " + cancelled.payload().order() + " in order of "
                            + cancelled.message().partitionKey());
        }

        @SubscribeTo("orders.refused")
        void refuse(String order) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "refused " + order);
            throw new IllegalStateException("no mail for " + order);
        }

        @SubscribeTo("orders.swallowed")
        void swallow(String order) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "swallowed " + order);
            try {
                orders.placeInVain(order);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("no ");
            }
        }
    }

    /** Takes commands from people; it is no handler of them. */
    @Controller
    static class Desk {
        public String ask(ReserveCommand command) {
            return command.toString();
        }
    }

    /** Reserve, then ship. */
    static final class Purchase implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Purchase";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveCommand.class)
                    .withCompensation(ReleaseCommand.class)
                    .then(ShipCommand.class)
                    .end();
        }
    }
}
