package io.waybill.relay.lease;

import io.waybill.Time;
import org.jspecify.annotations.Nullable;

/**
 * What is certain about the leases; changed as a whole, so that nobody sees a new renewal without the losses that it found.
 *
 * @param sinceRenewal since the last renewal began; nothing when there is none to rely on
 * @param losses how often leases were lost
 */
record LeaseSafety(Time.@Nullable Stopwatch sinceRenewal, long losses) {

    LeaseSafety renewed(Time.Stopwatch since) {
        return new LeaseSafety(since, losses);
    }

    LeaseSafety lost() {
        return new LeaseSafety(sinceRenewal, losses + 1);
    }
}
