package io.waybill.testkit.contract.framework;

import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import javax.sql.DataSource;

/**
 * An application of a framework on a database of its own. It runs no relays, so that what is written stays where a test counts it, and it
 * has the beans {@link Clerk} and {@link Filing}.
 */
public interface FrameworkFixture extends AutoCloseable {

    /** What {@code @Transactional} may say about a transaction that is open already, or not. */
    enum Propagation {
        REQUIRED,
        REQUIRES_NEW,
        NESTED,
        MANDATORY,
        SUPPORTS,
        NOT_SUPPORTED,
        NEVER
    }

    /** When a transactional event listener runs. */
    enum Phase {
        AFTER_COMMIT,
        AFTER_COMPLETION,
        AFTER_ROLLBACK
    }

    /** What an application does. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    Outbox outbox();

    CommandBus commandBus();

    ProcessManager processManager();

    /** The database without the framework and without its pool. */
    DataSource dataSource();

    /** Runs the work as a transactional method would, with the framework's own rules for exceptions. */
    void in(Propagation propagation, Work work) throws Exception;

    void inReadOnly(Work work) throws Exception;

    /** Whether transactions may have parts that roll back by themselves; not with JPA. */
    default boolean nests() {
        return true;
    }

    /** In a transaction of another data source, behind a query on Waybill's one: its connection is lent to this thread. */
    void onAnotherDataSource(Work work) throws Exception;

    /** Opens a transaction, publishes an event in it, and ends it as the phase wants it. The listener runs the work. */
    void at(Phase phase, Work work) throws Exception;

    /** Opens a transaction that commits, and runs the work as a synchronization of it, after the commit. */
    void afterCommit(Work work) throws Exception;

    /** Writes a row of the application's with the framework's connection. */
    void write(String what);

    @Override
    void close();

    /** A command that exists to be accepted. */
    record FileCommand(String what) implements DomainCommand {}

    /** Handles it. */
    class Clerk {
        public void file(FileCommand command) {}
    }

    /** A process that exists to be started. */
    class Filing implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Filing";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(FileCommand.class).end();
        }
    }
}
