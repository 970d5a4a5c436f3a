package com.acme.payments;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.waybill.message.Envelope;
import io.waybill.micronaut.WaybillCustomizer;
import io.waybill.observe.InboxListener;
import io.waybill.runtime.WaybillBuilder;
import jakarta.inject.Singleton;
import java.util.List;

/** Ends the JVM when a message of a queue has taken effect, and the broker does not know of it yet. */
@Singleton
@Requires(property = "crash.after")
final class Crash implements WaybillCustomizer, InboxListener {

    private final String queue;

    Crash(@Value("${crash.after}") String queue) {
        this.queue = queue;
    }

    @Override
    public void customize(WaybillBuilder builder) {
        builder.inboxListener(this);
    }

    @Override
    public void handled(String handler, List<Envelope> messages) {
        if (handler.equals(queue)) {
            Runtime.getRuntime().halt(137);
        }
    }
}
