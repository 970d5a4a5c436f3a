package io.waybill.observe;

import io.waybill.message.Envelope;
import java.util.List;

/** Notifies the first, then the second. */
record CompositeInboxListener(InboxListener first, InboxListener second) implements InboxListener {

    @Override
    public ObservedCall handling(Envelope message) {
        return first.handling(message).and(second.handling(message));
    }

    @Override
    public void received(String handler, int messages) {
        first.received(handler, messages);
        second.received(handler, messages);
    }

    @Override
    public void handled(String handler, List<Envelope> messages) {
        first.handled(handler, messages);
        second.handled(handler, messages);
    }

    @Override
    public void duplicate(String handler, List<Envelope> messages) {
        first.duplicate(handler, messages);
        second.duplicate(handler, messages);
    }

    @Override
    public void retried(String handler, Envelope message, int attempts, Throwable error) {
        first.retried(handler, message, attempts, error);
        second.retried(handler, message, attempts, error);
    }

    @Override
    public void failed(String handler, Envelope message, int attempts, Throwable error) {
        first.failed(handler, message, attempts, error);
        second.failed(handler, message, attempts, error);
    }
}
