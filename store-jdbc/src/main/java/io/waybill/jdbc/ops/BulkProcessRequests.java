package io.waybill.jdbc.ops;

import io.waybill.jdbc.ops.ProcessAdmin.Position;
import io.waybill.jdbc.ops.ProcessAdmin.Query;
import io.waybill.jdbc.ops.ProcessAdmin.Row;
import io.waybill.ops.ProcessOperations;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.ProcessStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Asks the instances of the application to do the same with every process that matches, such as to retry all that are blocked. The log of each
 * process says what became of it.
 *
 * <p><i>Transaction:</i> each request is committed alone; what was asked stays asked when a later one cannot be.
 */
public final class BulkProcessRequests {

    private static final int STEP = 100;

    private final ProcessAdmin processes;
    private final ProcessOperations operations;

    public BulkProcessRequests(ProcessAdmin processes, ProcessOperations operations) {
        this.processes = processes;
        this.operations = operations;
    }

    /**
     * How many were asked.
     *
     * @param refused how many matched and have no step to which it applies, or more than one
     */
    public record Asked(long asked, long refused) {}

    /** How many processes match and are in a state to which the verb applies. */
    public long count(Query query, Verb verb) {
        long[] count = {0};
        forEachPage(query, verb, rows -> count[0] += rows.size());
        return count[0];
    }

    /**
     * Asks for every process that matches.
     *
     * @param step where it is empty and the verb needs one, the only one of each process that fits
     * @param progress is called after each page with the number of requests so far; what it throws ends the rest
     */
    public Asked ask(Query query, Verb verb, String step, String by, String reason, LongConsumer progress) {
        long[] counts = {0, 0};
        forEachPage(query, verb, rows -> {
            for (Row row : rows) {
                counts[isAsked(row, verb, step, by, reason) ? 0 : 1]++;
            }
            progress.accept(counts[0]);
        });
        return new Asked(counts[0], counts[1]);
    }

    private boolean isAsked(Row row, Verb verb, String step, String by, String reason) {
        try {
            operations.ask(row.id(), operations.request(row.id(), verb, step, Map.of(), by, reason, ""));
            return true;
        } catch (ProcessOperations.NotApplicableException e) {
            return false;
        }
    }

    /** Types are compared here: a page of one type is bounded by what is searched for it. */
    private void forEachPage(Query query, Verb verb, Consumer<List<Row>> work) {
        Set<ProcessStatus> statuses = Arrays.stream(ProcessStatus.values())
                .filter(status -> query.statuses().isEmpty() || query.statuses().contains(status))
                .filter(status -> appliesTo(verb, status))
                .collect(Collectors.toSet());
        if (statuses.isEmpty()) {
            return;
        }
        var wanted = new Query(statuses, query.key().isEmpty() ? "" : query.type(), query.key());
        Position after = Position.START;
        List<Row> page;
        do {
            page = processes.latest(wanted, after, STEP);
            work.accept(page.stream()
                    .filter(row -> query.type().isEmpty() || query.type().equals(row.type()))
                    .toList());
            after = page.isEmpty() ? after : page.get(page.size() - 1).position();
        } while (page.size() == STEP);
    }

    private static boolean appliesTo(Verb verb, ProcessStatus status) {
        return switch (verb) {
            case RESUME -> status == ProcessStatus.PAUSED;
            case PAUSE -> !status.isFinished() && status != ProcessStatus.PAUSED;
            case CANCEL, CANCEL_WITHOUT_COMPENSATION, SIGNAL -> !status.isFinished();
            case RETRY, SKIP, RESOLVE -> !status.isFinished() || status == ProcessStatus.FAILED;
        };
    }
}
