package io.waybill.micronaut;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.transaction.TransactionOperations;
import io.waybill.command.CommandBus;
import io.waybill.message.AppendTo;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.micronaut.framework.Listeners.Ending;
import io.waybill.micronaut.framework.Methods;
import io.waybill.outbox.Outbox;
import io.waybill.store.NoTransactionException;
import io.waybill.testkit.contract.framework.FrameworkFixture.FileCommand;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events of the application, and listeners of its transactions. */
final class EventsTest {

    private TestDatabase database;
    private ApplicationContext context;
    private Methods methods;

    @SuppressWarnings("NullAway.Init")
    EventsTest() {}

    @BeforeEach
    void start() {
        database = H2.newDatabase();
        context = ApplicationContext.run(Map.of(
                "datasources.default.url",
                database.jdbcUrl(),
                "datasources.default.username",
                database.user(),
                "datasources.default.password",
                "",
                "waybill.relays",
                0,
                "spec",
                "framework"));
        methods = context.getBean(Methods.class);
    }

    @AfterEach
    void stop() {
        context.close();
        database.close();
    }

    /** An event. */
    @MessageType("Told")
    @AppendTo("told")
    public record Told(String what) {}

    @Test
    void an_event_leaves_with_the_transaction_of_its_publisher() throws Exception {
        var publisher = context.getEventPublisher(Told.class);

        methods.required(() -> publisher.publishEvent(new Told("kept")));
        assertThatThrownBy(() -> methods.required(() -> {
                    publisher.publishEvent(new Told("gone"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(database.rows("SELECT payload FROM outbox")).containsExactly("{\"what\":\"kept\"}");
        assertThatThrownBy(() -> publisher.publishEvent(new Told("nowhere")))
                .isInstanceOf(NoTransactionException.class);
    }

    @Test
    void before_the_commit_an_append_is_refused_and_a_command_has_its_own_transaction() throws Exception {
        var publisher = context.getEventPublisher(Ending.class);
        database.dataSource().getConnection().createStatement().execute("CREATE TABLE filed (what VARCHAR(60))");
        var refused = new ArrayList<Throwable>();

        assertThatThrownBy(() -> methods.required(() -> {
                    insert();
                    publisher.publishEvent(new Ending(() -> {
                        try {
                            context.getBean(Outbox.class)
                                    .append(Message.event("Told", "{}").to("told"));
                        } catch (NoTransactionException e) {
                            refused.add(e);
                        }
                        context.getBean(CommandBus.class)
                                .accept(new FileCommand("x"), idempotencyKey("x"), businessKey("x"));
                        throw new IllegalStateException("no");
                    }));
                }))
                .hasMessage("no");

        assertThat(refused).hasSize(1);
        assertThat(database.rows("SELECT what FROM filed"))
                .as("the data of the transaction")
                .isEmpty();
        assertThat(database.rows("SELECT idempotency_key FROM command")).containsExactly("x");
    }

    private void insert() throws SQLException {
        @SuppressWarnings("unchecked")
        TransactionOperations<Connection> operations =
                context.getBean(Argument.of(TransactionOperations.class, Connection.class));
        operations.getConnection().createStatement().execute("INSERT INTO filed VALUES ('x')");
    }
}
