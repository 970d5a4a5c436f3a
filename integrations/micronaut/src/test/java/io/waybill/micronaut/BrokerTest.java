package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micronaut.context.ApplicationContext;
import io.waybill.command.CommandBus;
import io.waybill.command.IdempotencyKey;
import io.waybill.message.Message;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;
import io.waybill.micronaut.shop.Ledger;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.store.Transactions;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.broker.Artemis;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages and commands that leave the application and come back through a broker, by configuration alone. */
final class BrokerTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestDatabase database = H2.newDatabase();
    private final Artemis artemis = Artemis.start();

    @AfterEach
    void stop() {
        artemis.close();
        database.close();
    }

    @Test
    void a_subscriber_takes_messages_from_a_broker() {
        artemis.createQueue("shop.posted");
        try (var context = application(Map.of(
                "waybill.routes.shop.posted", url(),
                "waybill.messaging.consumers.sources.shop.*", url(),
                // Two subscribers of one queue share its messages: the other one listens elsewhere.
                "shop.posted", "elsewhere"))) {
            context.getBean(Transactions.class)
                    .inTransaction(transaction -> context.getBean(Outbox.class)
                            .append(Message.event("Posted", Map.of("who", "broker"))
                                    .to("shop.posted")));

            Ledger ledger = context.getBean(Ledger.class);
            await().atMost(SOON).untilAsserted(() -> assertThat(ledger.lines()).containsOnlyOnce("posted broker"));
            assertThat(ledger.count("inbox")).isEqualTo(1);
        }
    }

    @Test
    void the_keys_of_the_guide_send_commands_through_queues_of_their_names() {
        Stream.of("RESERVESTOCK", "RELEASESTOCK", "CHARGECARD", "HIDEFAILURE", "REPLY")
                .forEach(type -> artemis.createQueue("APP.CMD." + type + ".Q"));
        try (var context =
                application(Map.of("mq.url", url(), "mq.required-queues", "APP.CMD.RESERVESTOCK.Q,APP.CMD.REPLY.Q"))) {
            var answer = context.getBean(CommandBus.class)
                    .send(new ReserveStockCommand("lamp", 1), new IdempotencyKey("lamp"))
                    .await(SOON)
                    .as(Map.class);
            ProcessManager processes = context.getBean(ProcessManager.class);
            processes.startProcess("Purchase", "broken-vase", Map.of("item", "broken-vase", "amount", 2));

            assertThat(answer.get("reserved")).isEqualTo(true);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(processes.search(ProcessQuery.ANY.about("broken-vase")))
                            .extracting(process -> process.status())
                            .containsExactly(ProcessStatus.COMPENSATED));
            assertThat(context.getBean(Ledger.class).lines())
                    .containsExactly("reserve lamp", "reserve broken-vase", "release broken-vase");
            assertThat(context.getBean(Ledger.class).count("inbox"))
                    .as("three commands that took effect, one that failed, and their answers")
                    .isGreaterThanOrEqualTo(7);
        }
    }

    @Test
    void all_queues_that_are_missing_are_told_at_once() {
        try (var strict = Artemis.startStrict()) {
            String url = strict.url().replace("tcp:", "jms+artemis:");
            strict.createQueue("APP.CMD.RESERVESTOCK.Q");

            assertThatThrownBy(() -> application(Map.of(
                                    "waybill.commands.from",
                                    url,
                                    "waybill.messaging.consumers.sources.shop.posted",
                                    url,
                                    "shop.posted",
                                    "elsewhere"))
                            .close())
                    .hasMessageStartingWith("Waybill's configuration is wrong in 2 places:")
                    .hasMessageContaining("waybill.commands.from and replies-from is '" + url + "'")
                    .hasMessageContaining("APP.CMD.CHARGECARD.Q")
                    .hasMessageContaining("APP.CMD.RELEASESTOCK.Q")
                    .hasMessageContaining(
                            "waybill.messaging.consumers.sources.shop.posted, for @SubscribeTo on Post.deliver")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("APP.CMD.RESERVESTOCK.Q"));
        }
    }

    @Test
    void a_required_queue_that_is_missing_fails_the_start() {
        try (var strict = Artemis.startStrict()) {
            strict.createQueue("APP.CMD.REPLY.Q");

            assertThatThrownBy(() -> application(Map.of(
                                    "mq.url",
                                    strict.url().replace("tcp:", "jms+artemis:"),
                                    "mq.required-queues",
                                    "APP.CMD.REPLY.Q, APP.CMD.RESERVESTOCK.Q"))
                            .close())
                    .hasStackTraceContaining("mq.required-queues is 'APP.CMD.REPLY.Q,APP.CMD.RESERVESTOCK.Q'")
                    .hasStackTraceContaining("has no 'APP.CMD.RESERVESTOCK.Q'");
        }
    }

    private String url() {
        return artemis.url().replace("tcp:", "jms+artemis:");
    }

    private ApplicationContext application(Map<String, Object> more) {
        var all = new HashMap<String, Object>(more);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", "");
        all.put("datasources.default.maximum-pool-size", 20);
        return ApplicationContext.run(all);
    }
}
