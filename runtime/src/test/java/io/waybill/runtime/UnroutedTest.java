package io.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.WaybillException;
import io.waybill.command.DomainCommand;
import io.waybill.message.Message;
import io.waybill.ops.UnroutedDestination;
import io.waybill.ops.UnroutedMessages;
import io.waybill.outbox.Unrouted;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.ServedDestinations;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A message for a destination that nobody serves is named, or refused. */
class UnroutedTest {

    /** Makes an order. */
    public record CreateOrderCommand() implements DomainCommand {}

    /** Handles it. */
    public static final class Orders {
        public void create(CreateOrderCommand command) {}
    }

    private final TestDatabase database = H2.newDatabase();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<Logger> loggers = List.of((Logger) LoggerFactory.getLogger(ServedDestinations.class), (Logger)
            LoggerFactory.getLogger(UnroutedMessages.class));

    @BeforeEach
    void listen() {
        lines.start();
        loggers.forEach(logger -> {
            logger.setLevel(Level.INFO);
            logger.addAppender(lines);
        });
    }

    @AfterEach
    void close() {
        loggers.forEach(logger -> {
            logger.setLevel(null);
            logger.detachAppender(lines);
        });
        database.close();
    }

    @Test
    void it_is_named_with_what_may_be_meant_and_waits() {
        try (Waybill waybill = Waybill.on(database.dataSource()).start()) {
            waybill.subscribe("orders.placed", "mails", String.class, order -> {});
            append(waybill, "order.placed");
            append(waybill, "order.placed");
            append(waybill, "orders.placed");

            assertThat(logged("WB-121"))
                    .singleElement()
                    .asString()
                    .contains("for 'order.placed' waits in the outbox", "Did you mean 'orders.placed'?");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !waybill.unrouted().isEmpty());
            assertThat(waybill.unrouted())
                    .extracting(UnroutedDestination::destination, UnroutedDestination::nearest)
                    .containsExactly(Tuple.tuple("order.placed", Optional.of("orders.placed")));
            await().atMost(Duration.ofSeconds(20)).until(() -> !logged("WB-122").isEmpty());
            assertThat(logged("WB-122"))
                    .singleElement()
                    .asString()
                    .contains("'order.placed', the oldest for", "nothing serves it");

            waybill.subscribe("order.*", "late", String.class, order -> {});
            await().atMost(Duration.ofSeconds(20)).until(() -> !logged("WB-123").isEmpty());
        }
    }

    @Test
    void it_is_refused_before_anything_is_written() {
        try (Waybill waybill = Waybill.on(database.dataSource())
                .handlers(new Orders())
                .unrouted(Unrouted.REFUSE)
                .start()) {
            assertThatThrownBy(() -> append(waybill, "orders.placed"))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("Nothing serves the destination 'orders.placed'");
            waybill.transactions().inTransaction(transaction -> {
                assertThatThrownBy(() -> accept(waybill, "CreateOder"))
                        .hasMessageContaining("APP.CMD.CREATEODER.Q")
                        .hasMessageContaining("Did you mean 'APP.CMD.CREATEORDER.Q'?");
                return transaction;
            });
            assertThat(count("command") + count("outbox"))
                    .as("the caller has committed")
                    .isZero();
            accept(waybill, "CreateOrder");
        }
    }

    @Test
    void an_application_that_only_appends_relies_on_relays_that_live() {
        try (Waybill application = Waybill.on(database.dataSource())
                .relays(0)
                .unrouted(Unrouted.REFUSE)
                .start()) {
            assertThatThrownBy(() -> append(application, "orders.placed")).hasMessageContaining("Nothing serves");
            try (Waybill relay = Waybill.on(database.dataSource())
                    .route("orders.*", new MemoryBroker())
                    .relay(RelayOptions.DEFAULT.withLeaseTime(Duration.ofSeconds(2)))
                    .start()) {
                await().atMost(Duration.ofSeconds(20)).ignoreExceptions().untilAsserted(() -> {
                    append(application, "orders.placed");
                });
                assertThatThrownBy(() -> append(application, "order.placed"))
                        .hasMessageContaining("Did you mean 'orders.placed'?");
                assertThat(relay.isAlive()).isTrue();
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThatThrownBy(() -> append(application, "orders.placed"))
                            .hasMessageContaining("Nothing serves"));
        }
        assertThat(lines.list).as("nothing else was warned of").isEmpty();
    }

    private static void accept(Waybill waybill, String type) {
        waybill.commandBus().accept(type, type, "", "{}", Map.of());
    }

    private static void append(Waybill waybill, String destination) {
        waybill.transactions()
                .inTransaction(transaction ->
                        waybill.outbox().append(Message.event("Some", "{}").to(destination)));
    }

    private List<String> logged(String code) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith(code))
                .toList();
    }

    private long count(String table) {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
