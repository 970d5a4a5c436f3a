package io.waybill.micronaut;

import io.waybill.micronaut.settings.ChosenDatabase;
import io.waybill.micronaut.settings.MicronautBrokers;
import io.waybill.micronaut.settings.MicronautProblems;
import io.waybill.micronaut.settings.MicronautSettings;
import io.waybill.runtime.Waybill;
import io.waybill.transport.TransportUrl;
import java.util.List;

/** Waybill on one data source. */
public record MicronautInstance(
        ChosenDatabase database, MicronautSettings settings, Waybill waybill, List<SubscriberMethod> fromBrokers) {

    public String name() {
        return database.name();
    }

    /** Begins to send, to handle and to receive; what cannot be received is noted. */
    void start(MicronautProblems problems) {
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

    private void receive(SubscriberMethod method, MicronautProblems problems) {
        MicronautBrokers.Place source =
                settings.brokers().sourceOf(method.destination()).orElseThrow();
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
