package io.waybill.jdbc.schema.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.CommandReply;
import io.waybill.command.DomainCommand;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.jdbc.process.OneStep;
import io.waybill.jdbc.process.StepsByHand;
import io.waybill.process.ProcessManager;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The queries on processes and commands that the guide gives to people who look for trouble (10.1 and 10.2), as they are written
 * there but for each database's own way to write an interval.
 */
abstract class GuideProcessQueries {

    record BookLimitsCommand() implements DomainCommand {}

    private final TestDatabase database = newDatabase();
    private final StepsByHand steps = new StepsByHand();
    private UUID failed = new UUID(0, 0);

    abstract TestDatabase newDatabase();

    /** An interval of five minutes. */
    abstract String fiveMinutes();

    @BeforeEach
    void one_payment_fails_one_succeeds_and_one_waits() {
        var store = JdbcStore.on(database.dataSource()).initializeSchema();
        ProcessManager manager = steps.manager(store, new OneStep("Payment", BookLimitsCommand.class));
        failed = manager.startProcess("Payment", "payment-1", Map.of());
        manager.onReply(1, CommandReply.failed(steps.sent().remove().commandId(), failed, "LimitExceeded"));
        UUID succeeded = manager.startProcess("Payment", "payment-2", Map.of());
        manager.onReply(1, CommandReply.completed(steps.sent().remove().commandId(), succeeded, Map.of()));
        manager.startProcess("Payment", "payment-3", Map.of());
        commandsOfOthers(store);
    }

    private static void commandsOfOthers(JdbcStore store) {
        for (int i = 1; i <= 3; i++) {
            var command = new CommandRecord(
                    new UUID(1, i),
                    "BookLimits",
                    "request-" + i,
                    "account-1",
                    new UUID(1, i),
                    1,
                    "{}",
                    CommandStatus.PENDING,
                    "",
                    null);
            store.transactions()
                    .inTransaction(transaction -> store.commandStore().insert(transaction, command));
        }
        store.transactions()
                .inTransaction(transaction ->
                        store.commandStore().end(transaction, new UUID(1, 1), 1, CommandStatus.COMPLETED, "{}"));
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
                """.replace("INTERVAL '5 minutes'", fiveMinutes())))
                .isEmpty();
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

    @Test
    void command_processing_states() {
        assertThat(Rows.in(database, """
                SELECT type, status, COUNT(*)
                FROM command
                GROUP BY type, status;
                """)).containsExactlyInAnyOrder("BookLimits PENDING 2", "BookLimits COMPLETED 1");
    }
}
