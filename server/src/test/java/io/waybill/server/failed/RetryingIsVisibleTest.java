package io.waybill.server.failed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.Backoff;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.message.Message;
import io.waybill.runtime.Waybill;
import io.waybill.server.Cli;
import io.waybill.server.DatabaseScenario;
import io.waybill.server.Eventually;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a person reads of a message whose handler throws: the log, {@code failed} and {@code waiting}. */
class RetryingIsVisibleTest extends DatabaseScenario {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.waybill.inbox.receive.FailureLog");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @Override
    public TestDatabase open() {
        return Postgres.shared().newDatabase();
    }

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @Test
    void a_message_that_is_tried_again_is_said_once_with_its_stack_and_found_by_the_command_that_the_log_names() {
        try (Waybill waybill = failing(
                ReceivingOptions.DEFAULT.backoff(new Backoff(Duration.ofSeconds(100), Duration.ofSeconds(1000), 0)))) {
            Eventually.is(() -> assertThat(warnings()).hasSize(1));
            assertThat(warnings().get(0).getFormattedMessage())
                    .startsWith("WB-301 The handler 'billing' could not handle message ")
                    .contains("from orders.placed", "no ink", "Next: attempt 2 of 10 at ")
                    .contains("'waybill failed list --state retrying' shows it");
            assertThat(warnings().get(0).getThrowableProxy().getStackTraceElementProxyArray())
                    .isNotEmpty();

            Eventually.is(() -> assertThat(Cli.run("failed", "list", "--db", url, "--state", "retrying")
                            .out())
                    .contains("retrying", "orders.placed", "no ink"));
            var list = Cli.run("failed", "list", "--db", url);
            assertThat(list.out()).hasLineCount(2).contains("nextAttempt");
            String id = list.out().lines().skip(1).findFirst().orElseThrow().replaceFirst(" .*", "");
            assertThat(Cli.run("failed", "show", "--db", url, id).out())
                    .contains("outbox     " + id, "state      retrying, is tried again at ", "1 attempts", "no ink");
            assertThat(Cli.run("failed", "groups", "--db", url).err())
                    .contains("1 message is tried again: waybill failed list --state retrying");
            assertThat(Cli.run("failed", "list", "--db", url, "--state", "failed")
                            .out())
                    .contains("No failed messages.");
            assertThat(Cli.run("waiting", "--db", url, "--all").out())
                    .contains("waybill failed list --state retrying --from orders.placed");
            assertThat(Cli.run("failed", "list", "--db", url, "--state", "retrying", "--from", "orders.placed")
                            .out())
                    .contains(id);
            assertThat(waybill.failedOverview().show(id).next()).startsWith("is tried again at ");
        }
    }

    @Test
    void a_message_that_was_tried_for_the_last_time_is_said_and_found_as_failed() {
        try (Waybill waybill = failing(ReceivingOptions.DEFAULT
                .attempts(2)
                .backoff(new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0)))) {
            Eventually.is(() -> assertThat(Cli.run("failed", "list", "--db", url, "--state", "failed")
                            .out())
                    .contains("failed", "billing", "no ink"));
            assertThat(warnings()).hasSize(2);
            assertThat(warnings().get(1).getFormattedMessage())
                    .contains("(2 attempts)", "until you retry or discard it", "waybill failed list --state failed");
            assertThat(Cli.run("failed", "list", "--db", url, "--state", "retrying,parked")
                            .out())
                    .contains("No failed messages.");
            assertThat(waybill.failedOverview().countRetrying()).isZero();
        }
    }

    private Waybill failing(ReceivingOptions options) {
        Waybill waybill = Waybill.on(database.dataSource()).receiving(options).build();
        waybill.subscribe("orders.placed", "billing", String.class, received -> {
            throw new IllegalStateException("no ink");
        });
        waybill.start();
        waybill.transactions()
                .inTransaction(transaction -> waybill.outbox()
                        .append(Message.event("OrderPlaced", "{}").to("orders.placed")));
        return waybill;
    }

    private List<ILoggingEvent> warnings() {
        return lines.list.stream()
                .filter(line -> line.getFormattedMessage().startsWith("WB-301"))
                .toList();
    }
}
