package io.waybill.jdbc.schema;

import io.waybill.Time;
import io.waybill.jdbc.JdbcStore;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.transport.Publisher;

/** A relay for a test. */
public final class Relays {

    private Relays() {}

    /** Sends everything there is, and says how many messages that were. */
    static int drain(JdbcStore store, Publisher broker) {
        return drain(store, broker, Route.DEFAULT_MAX_ATTEMPTS);
    }

    public static int drain(JdbcStore store, Publisher broker, int maxAttempts) {
        try (var relay = new Relay(
                store.outboxStore(),
                store.leaseStore(),
                Routes.of(Route.of("**", broker).maxAttempts(maxAttempts)),
                RelayOptions.DEFAULT,
                Time.system(),
                RelayListener.NONE)) {
            return relay.drain();
        }
    }
}
