package io.waybill.ops;

import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.store.failed.FailedMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A failed message with another payload or other headers. */
final class MessageEditor {

    private MessageEditor() {}

    static FailedMessage of(FailedMessage failed, Optional<Payload> payload, Map<String, String> headers) {
        Envelope old = failed.message();
        var changed = new HashMap<>(old.headers());
        headers.forEach((name, value) -> {
            if (value.isEmpty()) {
                changed.remove(name);
            } else {
                changed.put(name, value);
            }
        });
        var withHeaders = new Envelope(
                old.id(),
                old.category(),
                old.type(),
                old.destination(),
                old.key(),
                old.partitionKey(),
                old.payload(),
                changed);
        return failed.with(payload.map(withHeaders::withPayload).orElse(withHeaders));
    }
}
