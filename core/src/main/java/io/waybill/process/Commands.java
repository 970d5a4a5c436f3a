package io.waybill.process;

import io.waybill.store.Transaction;
import java.util.List;

/**
 * Carries what processes send. Everything is sent in the transaction of the decision, and arrives if that commits; answers come back
 * through {@link ProcessManager#onReply}, messages through {@link ProcessManager#onMessage}.
 */
public interface Commands {

    void send(Transaction transaction, List<StepCommand> commands);

    void tell(Transaction transaction, List<ProcessMessage> messages);
}
