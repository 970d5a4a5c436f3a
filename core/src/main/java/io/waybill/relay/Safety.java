package io.waybill.relay;

import io.waybill.Time;
import org.jspecify.annotations.Nullable;

/**
 * What is certain about the leases; changed as a whole, so that nobody sees a new renewal without the losses that it found.
 *
 * @param sinceRenewal since the last renewal began; nothing when there is none to rely on
 * @param losses how often leases were lost
 */
record Safety(Time.@Nullable Stopwatch sinceRenewal, long losses) {

    Safety renewed(Time.Stopwatch since) {
        return new Safety(since, losses);
    }

    Safety lost() {
        return new Safety(sinceRenewal, losses + 1);
    }
}
