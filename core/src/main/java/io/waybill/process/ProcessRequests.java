package io.waybill.process;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.ProcessMessageJson;
import io.waybill.process.message.ProcessRequest;
import io.waybill.process.state.ProcessEvent.OperatorAsked;
import io.waybill.process.state.ProcessState;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.Transactions;
import java.util.Optional;
import java.util.UUID;

/**
 * Operates processes from where their definitions are not known. A request is a message, which a node of the application takes; the
 * process's log says what became of it.
 *
 * <p><i>Threads:</i> safe.
 */
public final class ProcessRequests {

    private final ProcessStore store;
    private final Outbox outbox;
    private final Transactions transactions;
    private final ProcessMessageJson json;

    public ProcessRequests(ProcessStore store, Outbox outbox, Transactions transactions, PayloadCodec codec) {
        this.store = store;
        this.outbox = outbox;
        this.transactions = transactions;
        this.json = new ProcessMessageJson(codec);
    }

    /** Asks, in the caller's transaction if there is one. What is wanted of one process is done in the order of asking. */
    public void ask(UUID processId, ProcessRequest request) {
        ProcessState process = store.read(processId)
                .orElseThrow(() -> new WaybillException("There is no process " + processId
                        + ". It was never started, or has been removed after it was finished."));
        String destination = ProcessMessageJson.destination(process.processType(), process.version());
        transactions.inTransaction(transaction -> {
            outbox.append(json.message(new ProcessMessage.Operate(processId, request), destination));
            return request;
        });
    }

    /** What became of it; nothing while no node has taken it. */
    public Optional<OperatorAsked> outcome(UUID processId, UUID requestId) {
        return store.findByProcessId(processId).stream()
                .filter(OperatorAsked.class::isInstance)
                .map(OperatorAsked.class::cast)
                .filter(asked -> asked.requestId().equals(requestId))
                .findFirst();
    }
}
