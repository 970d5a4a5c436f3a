package io.waybill.micronaut;

import io.waybill.plain.Waybill;
import java.util.List;

/** Waybill on one data source. */
record Platform(ChosenDatabase database, Settings settings, Waybill waybill, List<SubscriberMethod> fromBrokers) {

    String name() {
        return database.name();
    }

    void start() {
        waybill.start();
        if (settings.consumers()) {
            fromBrokers.forEach(method -> method.receive(
                    waybill,
                    settings.brokers()
                            .sourceOf(method.destination())
                            .orElseThrow()
                            .url(),
                    settings));
        }
    }
}
