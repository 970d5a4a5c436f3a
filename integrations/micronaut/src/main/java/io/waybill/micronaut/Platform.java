package io.waybill.micronaut;

import io.waybill.runtime.Waybill;
import io.waybill.transport.TransportUrl;
import java.util.List;

/** Waybill on one data source. */
record Platform(ChosenDatabase database, Settings settings, Waybill waybill, List<SubscriberMethod> fromBrokers) {

    String name() {
        return database.name();
    }

    /** Begins to send, to handle and to receive; what cannot be received is noted. */
    void start(Problems problems) {
        problems.check(
                "waybill.commands.from and replies-from",
                settings.brokers().commandSources(),
                () -> {
                    waybill.start();
                    return true;
                },
                false);
        if (settings.consumers()) {
            fromBrokers.forEach(method -> receive(method, problems));
        }
    }

    private void receive(SubscriberMethod method, Problems problems) {
        Brokers.Place source = settings.brokers().sourceOf(method.destination()).orElseThrow();
        problems.check(
                source.key() + ", for @SubscribeTo on " + method.handler(),
                TransportUrl.withoutPassword(source.url()),
                () -> {
                    method.receive(waybill, source.url(), settings);
                    return true;
                },
                false);
    }
}
