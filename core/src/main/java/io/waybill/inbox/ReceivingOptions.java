package io.waybill.inbox;

import io.waybill.Backoff;
import io.waybill.WaybillException;
import java.time.Duration;

/**
 * Options of receiving: attempts, pauses, and what happens to the key of a failed message.
 *
 * @param tries immediate attempts, before the message waits for a retry
 * @param attempts later attempts with pauses, before it becomes a failed message
 * @param backoff the pauses
 * @param storesFirst whether messages from a broker are stored first and handled from the database, so that the broker is done with them sooner
 * @param parksKeys whether later messages of a key are parked behind a failed one, to be retried in order, or continue without it
 * @param redeliveryWindow how long a broker may redeliver a handled message: a topic's retention if offsets may be reset, a queue's
 *     expiry. Inbox rows must be kept longer
 */
public record ReceivingOptions(
        int tries, int attempts, Backoff backoff, boolean storesFirst, boolean parksKeys, Duration redeliveryWindow) {

    /** Three tries, ten attempts with pauses, keys are not parked, and a redelivery window of a week: Kafka's default retention. */
    public static final ReceivingOptions DEFAULT =
            new ReceivingOptions(3, 10, Backoff.DEFAULT, false, false, Duration.ofDays(7));

    public ReceivingOptions {
        if (tries < 1 || attempts < 1) {
            throw new WaybillException("tries (" + tries + ") and attempts (" + attempts + ") must be at least 1.");
        }
        if (redeliveryWindow.isNegative()) {
            throw new WaybillException("The redelivery window (" + redeliveryWindow + ") is negative.");
        }
    }

    public ReceivingOptions tries(int tries) {
        return new ReceivingOptions(tries, attempts, backoff, storesFirst, parksKeys, redeliveryWindow);
    }

    public ReceivingOptions attempts(int attempts) {
        return new ReceivingOptions(tries, attempts, backoff, storesFirst, parksKeys, redeliveryWindow);
    }

    public ReceivingOptions backoff(Backoff backoff) {
        return new ReceivingOptions(tries, attempts, backoff, storesFirst, parksKeys, redeliveryWindow);
    }

    public ReceivingOptions storeFirst() {
        return new ReceivingOptions(tries, attempts, backoff, true, parksKeys, redeliveryWindow);
    }

    public ReceivingOptions parkKeys() {
        return new ReceivingOptions(tries, attempts, backoff, storesFirst, true, redeliveryWindow);
    }

    public ReceivingOptions redeliveryWindow(Duration window) {
        return new ReceivingOptions(tries, attempts, backoff, storesFirst, parksKeys, window);
    }

    /** Refuses an inbox retention shorter than the redelivery window. */
    public void checkRetention(Duration inboxRetention) {
        if (inboxRetention.compareTo(redeliveryWindow) <= 0) {
            throw new WaybillException(
                    "The inbox forgets after " + inboxRetention + ", but a broker may deliver a message"
                            + " again within " + redeliveryWindow
                            + " (the redelivery window), and it would be handled twice. Set the"
                            + " inbox retention longer than the longest retention of the topics and queues you receive from, or the"
                            + " redelivery window to what that is.");
        }
    }
}
