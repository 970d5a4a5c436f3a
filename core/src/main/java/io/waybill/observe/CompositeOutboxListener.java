package io.waybill.observe;

import io.waybill.message.Envelope;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Notifies the first, then the second. */
record CompositeOutboxListener(OutboxListener first, OutboxListener second) implements OutboxListener {

    @Override
    public Map<String, String> context() {
        return both(first.context(), second.context());
    }

    @Override
    public Map<String, String> begun(String what) {
        return both(first.begun(what), second.begun(what));
    }

    private static Map<String, String> both(Map<String, String> first, Map<String, String> second) {
        Map<String, String> both = new HashMap<>(second);
        both.putAll(first);
        return both;
    }

    @Override
    public void appended(List<Envelope> messages) {
        first.appended(messages);
        second.appended(messages);
    }

    @Override
    public void scheduled(Envelope message, Duration delay) {
        first.scheduled(message, delay);
        second.scheduled(message, delay);
    }
}
