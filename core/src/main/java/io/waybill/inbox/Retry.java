package io.waybill.inbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.NamedId;
import io.waybill.message.StorableMessage;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.transport.wire.Headers;
import java.util.HashMap;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A failed message on its way back. It travels under an id of its own, because an outbox may still have the row it was first
 * sent from, and says in its headers which message it is and for whom. That handler takes it though it has seen the message;
 * every other handler recognises the message it has handled.
 */
public final class Retry {

    /** Before the names of the destinations of handlers in this process: {@code waybill.handler.billing.orders}. */
    public static final String HANDLERS = "waybill.handler.";

    private static final int MAX_DESTINATION = 255;

    private static final String NUMBER = "waybill-retry";
    private static final String MESSAGE = "waybill-retry-message";
    private static final String HANDLER = "waybill-retry-handler";
    private static final String SOURCE = "waybill-retry-source";
    public static final String COUNTED = "waybill-retry-counted";
    private static final String PARKED = "waybill-retry-parked";
    private static final String UNREADABLE = "waybill-retry-unreadable";

    /** How often an operator has retried the message. Of a retry through a broker it stays with the message, which brings it back. */
    private static final String RETRIES = "waybill-retries";

    private static final Pattern A_COUNT = Pattern.compile("[0-9]{1,6}");

    /** Headers that say something about how a message is kept. */
    private static final Set<String> MARKS = Set.of(COUNTED, PARKED, UNREADABLE);

    private static final Pattern A_NUMBER = Pattern.compile("[0-9]{1,18}");

    private final Envelope original;
    private final @Nullable String number;
    private final @Nullable String handler;
    private final String parked;
    private final String unreadable;
    private final int retries;

    private Retry(
            Envelope original,
            @Nullable String number,
            @Nullable String handler,
            String parked,
            String unreadable,
            int retries) {
        this.retries = retries;
        this.original = original;
        this.number = number;
        this.handler = handler;
        this.parked = parked;
        this.unreadable = unreadable;
    }

    /** Where a handler in this process takes what is tried again of what came from this source. */
    public static String destinationOf(String handler, String source) {
        String destination = HANDLERS + handler + "." + source;
        if (destination.length() > MAX_DESTINATION) {
            throw new WaybillException("The names of the handler '" + handler + "' and of the source '" + source
                    + "' are too long together by " + (destination.length() - MAX_DESTINATION)
                    + " characters. Give the handler a shorter one.");
        }
        return destination;
    }

    /** The message as it is appended to the outbox, for its handler or for where it came from. */
    public static Envelope of(FailedMessage failed, String destination, UUID id) {
        return stored(failed.message(), failed.handler(), destination, id)
                .withHeader(NUMBER, String.valueOf(failed.id()))
                .withHeader(RETRIES, String.valueOf(failed.retries() + 1))
                .withHeader(SOURCE, failed.source());
    }

    /** A message on its way to its handler that stays among the failed ones until it is handled. */
    public static Envelope ofParked(FailedMessage failed, UUID retry, UUID id) {
        return of(failed, destinationOf(failed.handler(), failed.source()), id).withHeader(PARKED, retry.toString());
    }

    /** A message as it is kept for its handler, to be handled later. */
    public static Envelope stored(Envelope message, String handler, String destination, UUID id) {
        var headers = new HashMap<>(message.headers());
        headers.keySet().removeAll(MARKS);
        headers.put(NUMBER, "0");
        headers.put(MESSAGE, message.id().toString());
        headers.put(HANDLER, handler);
        headers.put(SOURCE, message.destination());
        return StorableMessage.of(new Envelope(
                id,
                message.category(),
                message.type(),
                destination,
                message.key(),
                message.partitionKey(),
                message.payload(),
                headers));
    }

    /** The same as one of those behind which later messages of its key wait. */
    public static Envelope counted(Envelope stored) {
        return stored.withHeader(COUNTED, "true");
    }

    public static boolean isCounted(Envelope message) {
        return message.headers().containsKey(COUNTED);
    }

    /** The same as one that nobody can read, and why. */
    public static Envelope unreadable(Envelope stored, Throwable problem) {
        return stored.withHeader(UNREADABLE, StorableMessage.plain(problem.toString()));
    }

    /** The message as it was before it failed; any other message is itself, one that only looks like a retry too. */
    public static Retry in(Envelope stored) {
        String number = stored.headers().get(NUMBER);
        String id = stored.headers().get(MESSAGE);
        if (number == null || id == null || !A_NUMBER.matcher(number).matches()) {
            return new Retry(stored, null, null, "", "", retries(stored));
        }
        Envelope message = StorableMessage.restored(stored);
        var headers = new HashMap<>(message.headers());
        headers.remove(NUMBER);
        headers.remove(MESSAGE);
        boolean ours = stored.destination().startsWith(HANDLERS);
        String parked = ours ? headers.getOrDefault(PARKED, "") : "";
        String unreadable = ours ? headers.getOrDefault(UNREADABLE, "") : "";
        int retries = retries(stored);
        headers.keySet().removeAll(MARKS);
        if (ours) {
            headers.remove(RETRIES);
        }
        String handler = headers.remove(HANDLER);
        String source = headers.remove(SOURCE);
        var original = new Envelope(
                NamedId.read(id).orElse(message.id()),
                message.category(),
                message.type(),
                source == null ? message.destination() : source,
                message.key(),
                message.partitionKey(),
                message.payload(),
                headers);
        return new Retry(original, number, handler, parked, unreadable, retries);
    }

    /** How often an operator has retried this message, as it says itself. */
    public static int retries(Envelope message) {
        String count = message.headers().getOrDefault(RETRIES, "");
        return A_COUNT.matcher(count).matches() ? Integer.parseInt(count) : 0;
    }

    /** How often an operator has retried it. */
    public int retries() {
        return retries;
    }

    public Envelope original() {
        return original;
    }

    /** Whom it is for; empty when it is for everybody who takes it. */
    public String handler() {
        return handler == null ? "" : handler;
    }

    /** Whether the message stays among the failed ones until it is handled. */
    public boolean isOfParked() {
        return !parked.isEmpty();
    }

    /** Whether this is what has put the failed message on its way. */
    public boolean isOf(FailedMessage failed) {
        return number() == failed.id() && parked.equals(String.valueOf(failed.retry()));
    }

    /** The id of the failed message; 0 when it is not the retry of one. */
    public long number() {
        return number == null ? 0 : Long.parseLong(number);
    }

    /** Why nobody can read the message; empty when somebody may. */
    public String unreadable() {
        return unreadable;
    }

    /** What the inbox notes: for the handler that tries again, this retry. */
    public InboxEntry entry(String name) {
        return new InboxEntry(identity(original), name.equals(handler) ? name + "#" + number : name);
    }

    /** A message is its id, and of a message that names its source the source and the id: others may have the same id. */
    public static UUID identity(Envelope message) {
        String source = message.headers().getOrDefault(Headers.SOURCE, "");
        return source.isEmpty() ? message.id() : NamedId.of(source, message.id().toString());
    }
}
