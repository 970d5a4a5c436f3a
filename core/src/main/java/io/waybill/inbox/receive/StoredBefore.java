package io.waybill.inbox.receive;

import io.waybill.Time;
import io.waybill.inbox.Retry;
import io.waybill.store.Transactions;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that were stored first wait for the same handler as this receiver, which hands them over directly: while they wait, it stores
 * behind them too, and looks from time to time whether they are handled.
 *
 * <p><i>Threads:</i> safe.
 */
final class StoredBefore {

    private static final Logger log = LoggerFactory.getLogger(StoredBefore.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Transactions transactions;
    private final WaitingKeys waiting;
    private final String destination;
    private final Time time = Time.system();
    private volatile boolean seen;
    private volatile Time.@Nullable Stopwatch sinceLook;

    StoredBefore(Transactions transactions, WaitingKeys waiting, String destination) {
        this.transactions = transactions;
        this.waiting = waiting;
        this.destination = destination;
    }

    /** Looks before each batch whether the stored messages are handled. */
    Receiver before(Receiver receiver) {
        return new Receiver() {
            @Override
            public void receive(List<Delivery> batch) throws Exception {
                look();
                receiver.receive(batch);
            }

            @Override
            public void stop() {
                receiver.stop();
            }
        };
    }

    /** A receiver has found stored messages. */
    void found() {
        if (!seen) {
            seen = true;
            log.info(
                    "Messages that were stored first wait for {}. Those of the same keys that arrive now are stored behind"
                            + " them, until they are handled.",
                    destination);
        }
    }

    private void look() {
        Time.Stopwatch last = sinceLook;
        if (!seen || (last != null && !last.hasReached(PAUSE))) {
            return;
        }
        sinceLook = time.stopwatch();
        if (transactions.inTransaction(transaction -> waiting.removeAll(transaction, destination, Retry.COUNTED))) {
            seen = false;
            log.info(
                    "All messages that were stored first for {} are handled; new messages go to the handler directly.",
                    destination);
        }
    }
}
