package io.waybill.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.command.CommandReply;
import io.waybill.command.DomainCommand;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.process.Commands;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessDefinitions;
import io.waybill.process.ProcessGraph;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.ProcessMessage;
import io.waybill.process.StepCommand;
import io.waybill.store.Transaction;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queries on processes that the guide gives to people who look for trouble (10.1 and 10.2), as they are written there. */
class GuideProcessQueriesTest implements Commands {

    record BookLimitsCommand() implements DomainCommand {}

    private static final class Payment implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Payment";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(BookLimitsCommand.class).end();
        }
    }

    private final TestDatabase database = Postgres.shared().newDatabase();
    private final Deque<StepCommand> sent = new ArrayDeque<>();
    private UUID failed = new UUID(0, 0);

    @BeforeEach
    void one_payment_fails_one_succeeds_and_one_waits() {
        var store = JdbcStore.on(database.dataSource()).initializeSchema();
        var codec = PayloadCodec.found();
        var manager = new ProcessManager(ProcessManagerParts.of(
                ProcessDefinitions.of(new Payment()),
                store.processStore(codec),
                this,
                store.transactions(),
                codec,
                Time.system()));
        failed = manager.startProcess("Payment", "payment-1", Map.of());
        manager.onReply(1, CommandReply.failed(sent.remove().commandId(), failed, "LimitExceeded"));
        UUID succeeded = manager.startProcess("Payment", "payment-2", Map.of());
        manager.onReply(1, CommandReply.completed(sent.remove().commandId(), succeeded, Map.of()));
        manager.startProcess("Payment", "payment-3", Map.of());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void find_stuck_processes() {
        assertThat(Rows.in(database, """
                SELECT process_id, process_type, business_key, current_step, created_at
                FROM process_instance
                WHERE status = 'RUNNING'
                  AND updated_at < NOW() - INTERVAL '5 minutes';
                """)).isEmpty();
    }

    @Test
    void current_process_states() {
        assertThat(Rows.in(database, """
                SELECT status, COUNT(*)
                FROM process_instance
                GROUP BY status;
                """)).containsExactlyInAnyOrder("FAILED 1", "SUCCEEDED 1", "RUNNING 1");
    }

    @Test
    void recent_failures() {
        assertThat(Rows.in(database, """
                SELECT process_id, business_key, current_step, updated_at
                FROM process_instance
                WHERE status = 'FAILED'
                ORDER BY updated_at DESC
                LIMIT 10;
                """)).singleElement().asString().startsWith(failed + " payment-1 BookLimits 20");
    }

    @Test
    void full_event_history_for_a_process() {
        assertThat(Rows.in(database, """
                SELECT event_type, step_name, event_data, created_at
                FROM process_log
                WHERE process_id = 'uuid-here'
                ORDER BY created_at;
                """.replace("uuid-here", failed.toString())))
                .map(row -> row.substring(0, row.indexOf(' ')))
                .containsExactly("ProcessStarted", "StepStarted", "StepFailed", "CompensationStarted", "ProcessFailed");
    }

    @Override
    public void send(Transaction transaction, List<StepCommand> commands) {
        sent.addAll(commands);
    }

    @Override
    public void tell(Transaction transaction, List<ProcessMessage> messages) {}
}
