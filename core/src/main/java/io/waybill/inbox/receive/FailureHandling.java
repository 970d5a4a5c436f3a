package io.waybill.inbox.receive;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Where one handler's messages go that could not be handled, so that what comes behind them need not wait.
 *
 * <p><i>Transaction:</i> the one that notes the message in the inbox: from then on the broker is done with it.
 */
public interface FailureHandling {

    /**
     * Takes the message; {@code attempts} is zero when it was not tried because its key waits.
     *
     * @return what happens to it next, for the log; empty when nobody should hear of it
     */
    Optional<FailureLog.Failed> put(Transaction transaction, Envelope message, int attempts, Throwable error);

    /** The keys among these, of messages from this source, behind which later messages must wait to keep their order. */
    Set<String> waitingKeys(Transaction transaction, String source, Collection<String> keys);
}
