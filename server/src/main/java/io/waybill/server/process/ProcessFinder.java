package io.waybill.server.process;

import io.waybill.WaybillException;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore;
import io.waybill.server.cli.SingleMatch;
import io.waybill.store.IdRange;
import java.util.List;
import java.util.UUID;

/** Finds the process that somebody means: by its business key, its id, or the beginning of its id. */
final class ProcessFinder {

    static final String DESCRIPTION =
            "The id that 'waybill process list' shows, the beginning of one, or the business key.";

    private ProcessFinder() {}

    static UUID find(ProcessStore processes, String text) {
        ProcessQuery some = ProcessQuery.ANY.atMost(SingleMatch.MAX_CANDIDATES);
        List<ProcessInstance> found = processes.search(some.about(text));
        if (found.isEmpty()) {
            found = IdRange.ofPrefix(text)
                    .map(range -> processes.search(some.in(range)))
                    .orElse(List.of());
        }
        return SingleMatch.of("process", text, found, ProcessFinder::label, "waybill process list")
                .processId();
    }

    static WaybillException gone(UUID process) {
        return new WaybillException("There is no process " + process
                + " any more: it was removed after it was finished, by its retention or by an operator.");
    }

    private static String label(ProcessInstance process) {
        return process.processId() + "  " + process.processType() + " " + process.businessKey() + "  "
                + process.status();
    }
}
