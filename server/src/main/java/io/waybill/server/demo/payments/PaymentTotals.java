package io.waybill.server.demo.payments;

import static io.waybill.process.state.ProcessStatus.COMPENSATED;
import static io.waybill.process.state.ProcessStatus.COMPENSATING;
import static io.waybill.process.state.ProcessStatus.FAILED;
import static io.waybill.process.state.ProcessStatus.NEW;
import static io.waybill.process.state.ProcessStatus.PAUSED;
import static io.waybill.process.state.ProcessStatus.RUNNING;
import static io.waybill.process.state.ProcessStatus.SUCCEEDED;

import io.waybill.ops.OutboxOperations;
import io.waybill.process.ProcessListener;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailureGroup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What has become of the payments and their messages so far.
 *
 * @param blocked payments whose compensation fails: they wait for an operator
 * @param failedMessages messages that could not be handled: they wait for an operator
 * @param waitingMessages messages that are not published or handled yet
 */
public record PaymentTotals(
        long completed, long compensated, long blocked, long inProgress, long failedMessages, long waitingMessages) {

    static PaymentTotals of(Ended ended, Waybill waybill) {
        Map<ProcessStatus, Long> processes = waybill.store().processAdmin().counts(PaymentTraffic.MAX_PAYMENTS);
        DestinationStats stats =
                DestinationStats.sum(new OutboxOperations(waybill.store().admin()).stats());
        long failed = waybill.failedMessages().groups(FailedSelection.all()).stream()
                .mapToLong(FailureGroup::count)
                .sum();
        return new PaymentTotals(
                ended.count(SUCCEEDED),
                ended.count(COMPENSATED),
                processes.getOrDefault(FAILED, 0L),
                Stream.of(NEW, RUNNING, COMPENSATING, PAUSED)
                        .mapToLong(status -> processes.getOrDefault(status, 0L))
                        .sum(),
                failed + stats.failed(),
                stats.pending() + stats.waiting() + stats.held());
    }

    @Override
    public String toString() {
        return "payments: " + completed + " completed, " + compensated + " compensated, " + blocked + " blocked, "
                + inProgress + " in progress; messages: " + failedMessages + " failed, " + waitingMessages + " waiting";
    }

    /** Counts the payments that have ended: the tables do not say, because finished processes are removed after a while. */
    static final class Ended implements ProcessListener {

        private final Map<ProcessStatus, Long> counts = new ConcurrentHashMap<>();

        @Override
        public void ended(String processType, ProcessStatus status) {
            counts.merge(status, 1L, Long::sum);
        }

        private long count(ProcessStatus status) {
            return counts.getOrDefault(status, 0L);
        }
    }
}
