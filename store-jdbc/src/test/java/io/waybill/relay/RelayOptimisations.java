package io.waybill.relay;

import io.waybill.relay.route.Continuation;

/** Reaches the switches of this package. */
public final class RelayOptimisations {

    private RelayOptimisations() {}

    public static void enable(boolean enabled) {
        Prefetch.enabled = enabled;
        Continuation.enabled = enabled;
    }
}
