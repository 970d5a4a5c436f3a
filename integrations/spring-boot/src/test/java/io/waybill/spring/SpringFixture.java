package io.waybill.spring;

import io.waybill.command.CommandBus;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.testkit.contract.framework.FrameworkFixture;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An application of Spring Boot, with plain JDBC or with JPA. */
public final class SpringFixture implements FrameworkFixture {

    /** Keeps Spring Boot from finding JPA, which is on the class path of the tests. */
    public static final String WITHOUT_JPA =
            "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration";

    private final TestDatabase database;
    private final TestDatabase another = H2.newDatabase();
    private final ConfigurableApplicationContext context;
    private final PlatformTransactionManager manager;

    SpringFixture(TestDatabase database, String... properties) {
        this.database = database;
        var all = new ArrayList<>(List.of(properties));
        all.add("spring.datasource.url=" + database.jdbcUrl());
        all.add("spring.datasource.username=" + database.user());
        all.add("spring.datasource.password=" + database.password());
        all.add("waybill.relays=0");
        this.context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(all.toArray(String[]::new))
                .run();
        this.manager = context.getBean(PlatformTransactionManager.class);
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
        var attribute = new DefaultTransactionAttribute(
                switch (propagation) {
                    case REQUIRED -> TransactionDefinition.PROPAGATION_REQUIRED;
                    case REQUIRES_NEW -> TransactionDefinition.PROPAGATION_REQUIRES_NEW;
                    case NESTED -> TransactionDefinition.PROPAGATION_NESTED;
                    case MANDATORY -> TransactionDefinition.PROPAGATION_MANDATORY;
                    case SUPPORTS -> TransactionDefinition.PROPAGATION_SUPPORTS;
                    case NOT_SUPPORTED -> TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
                    case NEVER -> TransactionDefinition.PROPAGATION_NEVER;
                });
        run(manager, attribute, work);
    }

    @Override
    public void inReadOnly(Work work) throws Exception {
        var attribute = new DefaultTransactionAttribute();
        attribute.setReadOnly(true);
        run(manager, attribute, work);
    }

    @Override
    public boolean nests() {
        return manager instanceof JdbcTransactionManager;
    }

    @Override
    public void onAnotherDataSource(Work work) throws Exception {
        var other = new JdbcTransactionManager(another.dataSource());
        run(other, new DefaultTransactionAttribute(), () -> {
            context.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM filed", Long.class);
            work.run();
        });
    }

    /** As the interceptor of {@code @Transactional} does it, with its rule for exceptions. */
    private static void run(PlatformTransactionManager manager, DefaultTransactionAttribute attribute, Work work)
            throws Exception {
        var status = manager.getTransaction(attribute);
        try {
            work.run();
        } catch (Throwable e) {
            if (attribute.rollbackOn(e)) {
                manager.rollback(status);
            } else {
                manager.commit(status);
            }
            throw e;
        }
        manager.commit(status);
    }

    @Override
    public void at(Phase phase, Work work) throws Exception {
        var status = manager.getTransaction(new DefaultTransactionAttribute());
        write("an event");
        context.publishEvent(new Happened(phase, work));
        if (phase == Phase.AFTER_ROLLBACK) {
            manager.rollback(status);
        } else {
            manager.commit(status);
        }
    }

    @Override
    public void afterCommit(Work work) throws Exception {
        in(
                Propagation.REQUIRED,
                () -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        runNow(work);
                    }
                }));
    }

    @Override
    public void write(String what) {
        context.getBean(JdbcTemplate.class).update("INSERT INTO filed VALUES (?)", what);
    }

    @Override
    public void close() {
        context.close();
        another.close();
        database.close();
    }

    private static void runNow(Work work) {
        try {
            work.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** An event of the application. */
    record Happened(Phase phase, Work work) {}

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Clerk.class, Filing.class, Listeners.class})
    static class Application {}

    /** Hears events when their transaction has ended. */
    static class Listeners {
        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        void afterCommit(Happened event) {
            runAt(Phase.AFTER_COMMIT, event);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        void afterCompletion(Happened event) {
            runAt(Phase.AFTER_COMPLETION, event);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void afterRollback(Happened event) {
            runAt(Phase.AFTER_ROLLBACK, event);
        }

        private static void runAt(Phase phase, Happened event) {
            if (event.phase() == phase) {
                runNow(event.work());
            }
        }
    }
}
