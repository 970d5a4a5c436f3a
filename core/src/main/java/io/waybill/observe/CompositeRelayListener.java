package io.waybill.observe;

import io.waybill.message.Envelope;
import java.time.Duration;
import java.util.List;

/** Notifies the first, then the second. */
record CompositeRelayListener(RelayListener first, RelayListener second) implements RelayListener {

    @Override
    public ObservedCall publishing(List<Envelope> messages) {
        return first.publishing(messages).and(second.publishing(messages));
    }

    @Override
    public ObservedCall handling(Envelope message) {
        return first.handling(message).and(second.handling(message));
    }

    @Override
    public void unsettled(int messages) {
        first.unsettled(messages);
        second.unsettled(messages);
    }

    @Override
    public void claimed(List<Envelope> messages) {
        first.claimed(messages);
        second.claimed(messages);
    }

    @Override
    public void published(List<Envelope> messages, Duration lag) {
        first.published(messages, lag);
        second.published(messages, lag);
    }

    @Override
    public void retried(Envelope message, int attempts, String error, Duration delay) {
        first.retried(message, attempts, error, delay);
        second.retried(message, attempts, error, delay);
    }

    @Override
    public void failed(Envelope message, int attempts, String error) {
        first.failed(message, attempts, error);
        second.failed(message, attempts, error);
    }

    @Override
    public void held(List<Envelope> messages) {
        first.held(messages);
        second.held(messages);
    }

    @Override
    public void paused(String destination, String reason, boolean misconfigured) {
        first.paused(destination, reason, misconfigured);
        second.paused(destination, reason, misconfigured);
    }

    @Override
    public void resumed(String destination) {
        first.resumed(destination);
        second.resumed(destination);
    }

    @Override
    public void keysRepaired(int keys) {
        first.keysRepaired(keys);
        second.keysRepaired(keys);
    }

    @Override
    public void leasesLost(int lost) {
        first.leasesLost(lost);
        second.leasesLost(lost);
    }

    @Override
    public void crashed(Throwable error) {
        first.crashed(error);
        second.crashed(error);
    }

    @Override
    public void leasesChanged(int owned) {
        first.leasesChanged(owned);
        second.leasesChanged(owned);
    }
}
