package io.waybill.ops;

import static java.util.stream.Collectors.partitioningBy;

import io.waybill.WaybillException;
import io.waybill.inbox.Retry;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.store.Faults;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.failed.FailureGroup;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.TriedMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator does with messages that could not be handled: look, retry, edit, discard. Large operations go step by step;
 * one that is interrupted has done a part, and is simply started again.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> one per step: a message is among the failed ones, or on its way back, never both;
 * one that keeps the place of its key is both until it is handled.
 */
public final class FailedMessages {

    private static final Logger log = LoggerFactory.getLogger(FailedMessages.class);
    private static final int STEP = 500;
    private static final int MAX_TRIES = 10;

    private final FailedStore store;
    private final OutboxStore outbox;
    private final Transactions transactions;
    private final Runnable wake;
    private final String operator;
    private final ParkedRetries parkedRetries;

    /** For a process without relays: those of others find what is retried with their next sweep. */
    public FailedMessages(FailedStore store, OutboxStore outbox, Transactions transactions) {
        this(store, outbox, transactions, () -> {});
    }

    /** @param wake runs when something to send has been committed */
    public FailedMessages(FailedStore store, OutboxStore outbox, Transactions transactions, Runnable wake) {
        this(store, outbox, transactions, wake, "");
    }

    private FailedMessages(
            FailedStore store, OutboxStore outbox, Transactions transactions, Runnable wake, String operator) {
        this.operator = operator;
        this.store = store;
        this.outbox = outbox;
        this.transactions = transactions;
        this.wake = wake;
        this.parkedRetries = new ParkedRetries(store.parked(), outbox, note("retried"));
    }

    /** The same in the name of this operator, whom the history of each message names. */
    public FailedMessages by(String name) {
        return new FailedMessages(store, outbox, transactions, wake, name);
    }

    private String note(String what) {
        return OperatorNote.of(what, operator);
    }

    /** Where a message goes to be tried again. */
    public enum Target {
        /** To the handler that failed, in a process that has it; nobody else sees it. */
        HANDLER {
            @Override
            String destination(FailedMessage failed) {
                if (failed.handler().isEmpty()) {
                    throw new WaybillException("No handler of Waybill failed on message " + failed.id()
                            + ": it was written by another program just now. Retry it once more.");
                }
                return Retry.destinationOf(failed.handler(), failed.source());
            }
        },
        /** Back to the topic or queue it came from, by the route for that name; others there recognise it. */
        QUEUE {
            @Override
            String destination(FailedMessage failed) {
                return failed.source();
            }
        };

        abstract String destination(FailedMessage failed);
    }

    /** What is wrong, the most frequent first. */
    public List<FailureGroup> groups(FailedSelection selection) {
        return store.groups(selection);
    }

    /** A page of matching messages in the order in which they failed; the next one begins after the id of the last. */
    public List<FailedMessage> list(FailedSelection selection, long after, int limit) {
        return store.list(selection, after, limit);
    }

    public long count(FailedSelection selection) {
        return store.count(selection);
    }

    public FailedMessage show(long id) {
        Optional<FailedMessage> found = store.find(id);
        return found.orElseThrow(() -> new WaybillException(
                "There is no failed message " + id + ". Another operator may have retried or discarded it."));
    }

    /** Gives all matching messages to this consumer, page by page. */
    public long export(FailedSelection selection, Consumer<FailedMessage> to) {
        long exported = 0;
        long after = 0;
        List<FailedMessage> page;
        do {
            page = store.list(selection, after, STEP);
            page.forEach(to);
            exported += page.size();
            after = last(page, after);
        } while (page.size() == STEP);
        return exported;
    }

    /**
     * Tries everything again that matches, in the order in which it failed. Where keys are parked, a message goes to its handler only, and
     * not before the earlier ones of its key; it stays among the failed ones until it is handled, and then those that failed behind it go
     * after it.
     *
     * @param reason is logged
     * @param progress is called after every step with how many are on their way
     */
    public Retried retry(FailedSelection selection, Target target, String reason, LongConsumer progress) {
        long givenBack = target == Target.HANDLER ? giveBack(selection, "", reason, progress) : 0;
        return send(selection, target, givenBack, reason, progress);
    }

    /**
     * What became of a retry.
     *
     * @param onTheirWay how many messages are
     * @param refused how many are not: an earlier message of their key is among the failed ones and was not selected, or they were to
     *     go to a queue, where they would lose the order of their key
     */
    public record Retried(long onTheirWay, long refused) {}

    /**
     * Gives everything back that matches and that another program keeps among the failed messages: PHP's Symfony Messenger, where they
     * are in its table. What Waybill's own handlers failed on stays.
     *
     * @param queue where that program takes them; empty to tell it from each message
     * @return how many were given back
     */
    public long giveBack(FailedSelection selection, String queue, String reason, LongConsumer progress) {
        String why = reason(reason);
        long givenBack = 0;
        int some;
        do {
            some = transactions.inTransaction(transaction -> store.giveBack(transaction, selection, queue, STEP));
            givenBack += some;
            if (some > 0) {
                progress.accept(givenBack);
            }
        } while (some > 0);
        if (givenBack > 0) {
            log.info("Gave {} failed messages back ({}): {}", givenBack, selection, why);
        }
        return givenBack;
    }

    private Retried send(FailedSelection selection, Target target, long before, String reason, LongConsumer progress) {
        String why = reason(reason);
        long[] seen = {before};
        long onTheirWay = before
                + stepByStep(selection, done -> progress.accept(before + done), (transaction, messages) -> {
                    seen[0] += messages.size();
                    int sent = send(transaction, selection, target, messages);
                    if (sent > 0 && !transaction.afterCommit(wake)) {
                        wake.run();
                    }
                    return sent;
                });
        var retried = new Retried(onTheirWay, seen[0] - onTheirWay);
        log.info(
                "Retried {} failed messages ({}), to the {}, and refused {}: {}",
                retried.onTheirWay,
                selection,
                target,
                retried.refused,
                why);
        return retried;
    }

    private int send(Transaction transaction, FailedSelection selection, Target target, List<FailedMessage> messages) {
        Map<Boolean, List<FailedMessage>> byParking =
                messages.stream().collect(partitioningBy(FailedMessage::parksKey));
        List<FailedMessage> free = byParking.getOrDefault(false, List.of());
        store.remove(transaction, ids(free));
        outbox.appendTried(
                transaction,
                free.stream()
                        .map(failed -> new TriedMessage(
                                Retry.of(failed, target.destination(failed), UuidV7.SYSTEM.get()),
                                failed.attemptLog(),
                                note("retried")))
                        .toList());
        List<FailedMessage> parked = byParking.getOrDefault(true, List.of());
        return free.size() + (target == Target.HANDLER ? parkedRetries.start(transaction, selection, parked) : 0);
    }

    private static List<Long> ids(List<FailedMessage> messages) {
        return messages.stream().map(FailedMessage::id).toList();
    }

    /** Gives up everything that matches. */
    public long discard(FailedSelection selection, String reason, LongConsumer progress) {
        String why = reason(reason);
        long changed = stepByStep(selection, progress, (transaction, messages) -> {
            store.remove(transaction, ids(messages));
            return messages.size();
        });
        log.info("Discarded {} failed messages ({}): {}", changed, selection, why);
        return changed;
    }

    /** Edits a message: another payload, and headers that are set or, when their value is empty, taken away. */
    public FailedMessage edit(long id, Optional<Payload> payload, Map<String, String> headers, String reason) {
        String why = reason(reason);
        FailedMessage edited = MessageEditor.of(show(id), payload, headers);
        boolean found = transactions.inTransaction(transaction -> {
            if (edited.isOnItsWay()) {
                store.parked().endRetries(transaction, ParkedKey.of(edited));
            }
            return store.edit(transaction, id, edited.message(), note("edited"));
        });
        if (!found) {
            return show(id);
        }
        log.info("Edited the failed message {}: {}", id, why);
        return edited;
    }

    private long stepByStep(FailedSelection selection, LongConsumer progress, Step step) {
        long changed = 0;
        long after = 0;
        Stepped stepped;
        do {
            stepped = step(selection, after, step);
            after = last(stepped.messages, after);
            changed += stepped.changed;
            progress.accept(changed);
        } while (!stepped.messages.isEmpty());
        return changed;
    }

    /** Handlers lock the same messages in the order in which they get them: a step that was rolled back for their sake is repeated. */
    private Stepped step(FailedSelection selection, long after, Step step) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transactions.inTransaction(transaction -> {
                    List<FailedMessage> some = store.lock(transaction, selection, after, STEP);
                    return new Stepped(some, some.isEmpty() ? 0 : step.run(transaction, some));
                });
            } catch (RuntimeException e) {
                if (attempt == MAX_TRIES || !Faults.isVictim(e)) {
                    throw e;
                }
            }
        }
    }

    /** Does something with the messages and says with how many. */
    @FunctionalInterface
    private interface Step {
        int run(Transaction transaction, List<FailedMessage> messages);
    }

    private record Stepped(List<FailedMessage> messages, int changed) {}

    private static long last(List<FailedMessage> page, long otherwise) {
        return page.isEmpty() ? otherwise : page.get(page.size() - 1).id();
    }

    private static String reason(String reason) {
        if (reason.isBlank()) {
            throw new WaybillException("Changing failed messages needs a reason, which is logged: say why.");
        }
        return reason;
    }
}
