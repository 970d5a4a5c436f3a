package io.waybill.ops;

import io.waybill.WaybillException;
import io.waybill.message.DestinationPattern;
import io.waybill.message.text.NameRules;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxAdmin.Batch;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.PausedDestination;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * What an operator does with the outbox, however many messages it concerns. Large operations go step by step; one that is
 * interrupted has done a part, and is simply started again.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> its own, many small ones; all that concerns one key is in one.
 */
public final class OutboxOperations {

    private static final int STEP = 500;

    private final OutboxAdmin store;
    private final String operator;

    public OutboxOperations(OutboxAdmin store) {
        this(store, "");
    }

    private OutboxOperations(OutboxAdmin store, String operator) {
        this.store = store;
        this.operator = operator;
    }

    /** The same in the name of this operator, whom the history of each message names. */
    public OutboxOperations by(String name) {
        return new OutboxOperations(store, name);
    }

    /** What waits, by destination. */
    public List<DestinationStats> stats() {
        return store.stats();
    }

    /** A page of matching messages in insertion order; the next one begins after the position of the last. */
    public List<StoredMessage> list(Selection selection, long after, int limit) {
        return store.list(selection, after, limit);
    }

    /** Of the message that was inserted last and is still there; 0 when there is none. */
    public long lastPosition() {
        return store.lastPosition();
    }

    public long count(Selection selection) {
        return store.count(selection);
    }

    public Optional<StoredMessage> find(UUID id) {
        return store.find(id);
    }

    /**
     * Sends everything again that matches and was refused; other messages that match are left alone.
     *
     * @param progress is called after every step with how many have been replayed
     * @return how many were replayed
     */
    public long replay(Selection selection, LongConsumer progress) {
        return stepByStep(0, after -> store.replay(selection, note("replayed"), after, STEP), progress);
    }

    /**
     * Sends everything that matches and was refused to another destination, each with what is held behind it, in the order of its key; other
     * messages that match are left alone, and so are Waybill's own and what is appended later.
     *
     * @param progress is called after every step with how many have been redirected
     * @return how many were redirected, without those that were held behind them
     */
    public long redirect(Selection selection, String destination, LongConsumer progress) {
        String to = requireTarget(destination);
        return stepByStep(
                0, after -> store.redirect(selection, to, note("redirected to " + to), after, STEP), progress);
    }

    /** Sends one refused message again, now and with all its attempts. */
    public void replay(UUID id) {
        replay(id, Edit.NONE);
    }

    /** Sends one refused message again, edited. */
    public void replay(UUID id, Edit edit) {
        StoredMessage message = existing(id);
        if (edit.destination() != null) {
            requireTarget(edit.destination());
            requireNotReserved(message.envelope().destination());
        }
        if (!message.status().isReplayable() || !store.replay(edit.appliedTo(message.envelope()), note(edit.words()))) {
            throw new WaybillException("Message " + id + " cannot be replayed: " + whyNot(existing(id)));
        }
    }

    /**
     * Gives everything up that matches and is not sent yet. What was held behind it goes on without it.
     *
     * @param reason is kept with the messages until they are cleaned up
     * @return how many were discarded
     */
    public long discard(Selection selection, String reason, LongConsumer progress) {
        if (reason.isBlank()) {
            throw new WaybillException("Discarding messages needs a reason: say why nobody needs them.");
        }
        return stepByStep(Long.MAX_VALUE, before -> store.discard(selection, reason, before, STEP), progress);
    }

    /**
     * Lets a waiting, parked or blocked key move on, beginning with the message it waits for.
     *
     * @return false when nothing stops the key
     */
    public boolean unblock(String destination, String partitionKey) {
        return store.unblock(destination, partitionKey, note("unblocked"));
    }

    private String note(String what) {
        return OperatorNote.of(what, operator);
    }

    /** The destinations that are paused, by name. */
    public List<PausedDestination> paused() {
        return store.paused();
    }

    /**
     * Lets relays send nothing to the destination until it is {@link #resume resumed}: its messages wait, in order, and use no attempt. Relays
     * see it within their sweep interval; what is in flight then goes on. There need be no message for it yet.
     *
     * @param reason is shown wherever its messages wait
     * @throws WaybillException that says who has paused it, when it is paused already
     */
    public PausedDestination pause(String destination, String reason, String operator) {
        String name = requireName(destination);
        if (reason.isBlank()) {
            throw new WaybillException("Pausing a destination needs a reason: say why its messages should wait.");
        }
        boolean isNew = store.pause(name, reason.strip(), operator);
        PausedDestination paused = store.paused().stream()
                .filter(one -> one.destination().equals(name))
                .findFirst()
                .orElseThrow(() -> new WaybillException(
                        name + " was resumed by another operator at the same time. Look whether it should be paused."));
        if (!isNew) {
            throw new WaybillException(name + " has been paused since " + paused.since() + ", "
                    + paused.why().replaceFirst("^paused ", "") + ". Nothing was changed.");
        }
        return paused;
    }

    /**
     * Lets relays send to the destination again, in the order of its messages.
     *
     * @throws WaybillException that names what is paused, when the destination is not
     */
    public void resume(String destination) {
        String name = requireName(destination);
        if (!store.resume(name)) {
            List<String> paused =
                    store.paused().stream().map(PausedDestination::destination).toList();
            throw new WaybillException(name + " is not paused. "
                    + (paused.isEmpty() ? "No destination is." : "Paused are: " + String.join(", ", paused) + "."));
        }
    }

    /** A pattern would match destinations that nobody thought of. */
    private static String requireName(String destination) {
        String name = destination.strip();
        if (name.isEmpty() || name.length() > NameRules.LIMIT || name.contains("*")) {
            throw new WaybillException(
                    "'" + NameRules.shortened(name) + "' is not the name of one destination. Give it as 'waybill"
                            + " outbox stats' shows it: 1 to " + NameRules.LIMIT + " characters, without '*'.");
        }
        return name;
    }

    private static String requireTarget(String destination) {
        return requireNotReserved(requireName(destination));
    }

    private static String requireNotReserved(String destination) {
        if (DestinationPattern.isReserved(destination)) {
            throw new WaybillException("'" + NameRules.shortened(destination)
                    + "' belongs to Waybill itself: its messages are not redirected, and nothing is redirected to it."
                    + " Name a destination of your own.");
        }
        return destination;
    }

    private StoredMessage existing(UUID id) {
        return store.find(id)
                .orElseThrow(() -> new WaybillException(
                        "There is no message " + id + " in the outbox. It may have been sent and cleaned up."));
    }

    private static String whyNot(StoredMessage message) {
        return switch (message.status()) {
            case DISPATCHED -> "it was dispatched at " + message.dispatchedAt() + ". Append a new message instead.";
            case DISCARDED ->
                "it was discarded at " + message.dispatchedAt() + " (" + message.error()
                        + "). Append a new message instead.";
            case HELD ->
                "it is held behind an earlier message of the key '"
                        + message.envelope().partitionKey() + "' to "
                        + message.envelope().destination() + ". Replay or discard that one, and this one follows.";
            case PENDING -> "it is pending, and goes out as soon as a relay comes to it.";
            case WAITING, FAILED -> "another operator changed it at the same time. Try again.";
        };
    }

    private static long stepByStep(long start, LongFunction<Batch> step, LongConsumer progress) {
        long changed = 0;
        Batch batch = new Batch(0, start, true);
        while (batch.hasMore()) {
            batch = step.apply(batch.position());
            changed += batch.changed();
            progress.accept(changed);
        }
        return changed;
    }
}
