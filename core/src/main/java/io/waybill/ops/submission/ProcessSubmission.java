package io.waybill.ops.submission;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import io.waybill.message.UuidV7;
import io.waybill.ops.ProcessOperations.Outcome;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.ProcessMessageJson;
import io.waybill.process.store.ProcessStore;
import io.waybill.relay.route.AdvertisedDestinations;
import io.waybill.store.Transactions;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.StoredMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Has a process started from where its definition is not known: a request is a message, which a node with the definition takes.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> a request is committed before it is awaited.
 */
public final class ProcessSubmission {

    private static final long POLL_MILLIS = 100;

    private final ProcessStore store;
    private final OutboxAdmin messages;
    private final Outbox outbox;
    private final Transactions transactions;
    private final ProcessMessageJson json;
    private final Supplier<? extends Collection<String>> live;

    /** @param live what the relays that live serve, as they have written it */
    public ProcessSubmission(
            ProcessStore store,
            OutboxAdmin messages,
            Outbox outbox,
            Transactions transactions,
            PayloadCodec codec,
            Supplier<? extends Collection<String>> live) {
        this.store = store;
        this.messages = messages;
        this.outbox = outbox;
        this.transactions = transactions;
        this.json = new ProcessMessageJson(codec);
        this.live = live;
    }

    /**
     * A process.
     *
     * @param version 0 for the latest that the node has which starts it
     * @param by who wants it
     */
    public record Request(
            String type, int version, String businessKey, Map<String, Object> data, String by, String reason) {

        public Request {
            if (type.isBlank() || version < 0) {
                throw new WaybillException("A process is started by its type and optionally a version from 1, not by '"
                        + type + "' and " + version + ".");
            }
            ProcessManager.checkBusinessKey(type, businessKey);
        }
    }

    /**
     * What became of a request.
     *
     * @param process its id; while it is not started, the one that it gets
     * @param says why it was refused, or what happens next
     */
    public record Result(UUID process, Outcome outcome, String says) {}

    /** A request that was sent, or the process that made it unnecessary. */
    public record Submitted(Request request, UUID process, UUID message, boolean isThere) {}

    /** Asks, unless there is a process of this type and business key. */
    public Submitted ask(Request request) {
        Optional<UUID> existing = find(request);
        UUID message = UuidV7.SYSTEM.get();
        UUID process = existing.orElseGet(UuidV7.SYSTEM);
        if (existing.isEmpty()) {
            var start = new ProcessMessage.StartProcess(
                    process,
                    request.type(),
                    request.version(),
                    request.businessKey(),
                    request.data(),
                    request.by(),
                    request.reason());
            transactions.inTransaction(
                    transaction -> outbox.append(json.message(start).id(message)));
        }
        return new Submitted(request, process, message, existing.isPresent());
    }

    /** Waits until the process is there or was refused, and no longer than this. */
    public Result await(Submitted submitted, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        Optional<Result> result = result(submitted);
        while (result.isEmpty() && System.nanoTime() < deadline && pause()) {
            result = result(submitted);
        }
        return result.orElseGet(() -> new Result(submitted.process(), Outcome.NOT_TAKEN_YET, whyNot(submitted)));
    }

    private Optional<Result> result(Submitted submitted) {
        if (submitted.isThere()) {
            return Optional.of(new Result(
                    submitted.process(),
                    Outcome.DONE,
                    "There was one already: a " + submitted.request().type() + " about '"
                            + submitted.request().businessKey() + "' is started once."));
        }
        return find(submitted.request())
                .map(process -> new Result(process, Outcome.DONE, ""))
                .or(() -> messages.find(submitted.message())
                        .filter(message -> message.status() == OutboxStatus.FAILED)
                        .map(message -> new Result(submitted.process(), Outcome.REFUSED, error(message))));
    }

    private static String error(StoredMessage message) {
        return Optional.ofNullable(message.error())
                .map(error -> error.replaceFirst("^[\\w.$]+Exception: ", ""))
                .orElse("The instance of the application did not say why.");
    }

    private String whyNot(Submitted submitted) {
        Request request = submitted.request();
        String destination = request.version() == 0
                ? ProcessMessageJson.destination(request.type())
                : ProcessMessageJson.destination(request.type(), request.version());
        boolean served = live.get().stream()
                .anyMatch(text -> AdvertisedDestinations.of(text).includes(destination));
        return served
                ? "No instance of the application has taken it yet; it is started when one does."
                : "No live instance of the application has a definition of " + request.type()
                        + (request.version() == 0 ? "" : " in version " + request.version())
                        + "; it is started when one does. The request is message " + submitted.message()
                        + ": discard it if the type is wrong.";
    }

    private Optional<UUID> find(Request request) {
        return transactions.inTransaction(
                transaction -> store.find(transaction, request.type(), request.businessKey()));
    }

    private static boolean pause() {
        try {
            return !new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
