package io.waybill.inbox.receive;

import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.observe.ObservedCall;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a listener what happened to messages, whatever it makes of it. */
record InboxNotifier(InboxListener listener) {

    private static final Logger log = LoggerFactory.getLogger(InboxNotifier.class);

    /** What goes around the handling of a message. */
    ObservedCall handling(Envelope message) {
        return ObservedCall.guarded(() -> listener.handling(message));
    }

    /** It has happened, and mostly is committed: an exception now would say otherwise. */
    void notifyListener(Consumer<InboxListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException e) {
            log.warn("WB-302 An InboxListener failed; the received messages are not affected: {}", e.toString());
            log.debug("WB-302", e);
        }
    }
}
