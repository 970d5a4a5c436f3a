package io.waybill.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.event.ApplicationEventPublisher;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionDefinition;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.support.TransactionSynchronization;
import io.waybill.command.CommandBus;
import io.waybill.micronaut.framework.Listeners.Happened;
import io.waybill.micronaut.framework.Methods;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** An application of Micronaut with two data sources, on one of which Waybill works. */
final class MicronautFixture implements FrameworkFixture {

    @SuppressWarnings("unchecked")
    private static final Argument<ConnectionOperations<Connection>> CONNECTIONS = Argument.of(
            (Class<ConnectionOperations<Connection>>) (Class<?>) ConnectionOperations.class, Connection.class);

    @SuppressWarnings("unchecked")
    private static final Argument<TransactionOperations<Connection>> TRANSACTIONS = Argument.of(
            (Class<TransactionOperations<Connection>>) (Class<?>) TransactionOperations.class, Connection.class);

    private final TestDatabase database;
    private final TestDatabase another = H2.newDatabase();
    private final ApplicationContext context;
    private final Methods methods;

    MicronautFixture(TestDatabase database, Map<String, Object> properties) {
        this.database = database;
        var all = new HashMap<>(properties);
        Map.of("default", database, "another", another).forEach((name, each) -> {
            all.put("datasources." + name + ".url", each.jdbcUrl());
            all.put("datasources." + name + ".username", each.user());
            all.put("datasources." + name + ".password", each.password());
        });
        all.put("waybill.data-source", "default");
        all.put("waybill.relays", 0);
        all.put("spec", "framework");
        this.context = ApplicationContext.run(all);
        this.methods = context.getBean(Methods.class);
    }

    @Override
    public Outbox outbox() {
        return context.getBean(Outbox.class);
    }

    @Override
    public CommandBus commandBus() {
        return context.getBean(CommandBus.class);
    }

    @Override
    public ProcessManager processManager() {
        return context.getBean(ProcessManager.class);
    }

    @Override
    public DataSource dataSource() {
        return database.dataSource();
    }

    @Override
    public void in(Propagation propagation, Work work) throws Exception {
        switch (propagation) {
            case REQUIRED -> methods.required(work);
            case REQUIRES_NEW -> methods.requiresNew(work);
            case NESTED -> methods.nested(work);
            case MANDATORY -> methods.mandatory(work);
            case SUPPORTS -> methods.supports(work);
            case NOT_SUPPORTED -> methods.notSupported(work);
            case NEVER -> methods.never(work);
        }
    }

    @Override
    public void inReadOnly(Work work) throws Exception {
        methods.readOnly(work);
    }

    @Override
    public void onAnotherDataSource(Work work) throws Exception {
        methods.onAnother(() -> context.getBean(CONNECTIONS, Qualifiers.byName("default"))
                .execute(ConnectionDefinition.DEFAULT, status -> {
                    try (var query = status.getConnection().createStatement()) {
                        query.executeQuery("SELECT count(*) FROM filed").close();
                        work.run();
                        return true;
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }));
    }

    @Override
    public void at(Phase phase, Work work) throws Exception {
        var rollback = new IllegalStateException("rolled back");
        try {
            methods.required(() -> {
                write("an event");
                publisher().publishEvent(new Happened(phase, work));
                if (phase == Phase.AFTER_ROLLBACK) {
                    throw rollback;
                }
            });
        } catch (IllegalStateException e) {
            if (e != rollback) {
                throw e;
            }
        }
    }

    private ApplicationEventPublisher<Happened> publisher() {
        return context.getEventPublisher(Happened.class);
    }

    @Override
    public void afterCommit(Work work) throws Exception {
        methods.required(() -> transactions()
                .findTransactionStatus()
                .orElseThrow()
                .registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        try {
                            work.run();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }));
    }

    private TransactionOperations<Connection> transactions() {
        return context.getBean(TRANSACTIONS, Qualifiers.byName("default"));
    }

    @Override
    public void write(String what) {
        try (var insert = transactions().getConnection().prepareStatement("INSERT INTO filed VALUES (?)")) {
            insert.setString(1, what);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
        another.close();
        database.close();
    }
}
