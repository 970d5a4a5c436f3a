package io.waybill.ops;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import io.waybill.message.UuidV7;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessRequests;
import io.waybill.process.message.ProcessRequest;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.ProcessEvent.OperatorAsked;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What an operator does with processes from where their definitions are not known. The instances of the application are asked to do it;
 * the log of the process says what became of it.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> a request is committed before it is awaited.
 */
public final class ProcessOperations {

    private static final long POLL_MILLIS = 100;

    private final ProcessStore store;
    private final ProcessRequests requests;

    public ProcessOperations(ProcessStore store, Outbox outbox, Transactions transactions, PayloadCodec codec) {
        this.store = store;
        this.requests = new ProcessRequests(store, outbox, transactions, codec);
    }

    /** Whether a request was carried out. */
    public enum Outcome {
        DONE,
        REFUSED,
        /** No instance of the application has taken it yet; it is carried out when one does. */
        NOT_TAKEN_YET;

        /** As people read it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** There is nothing in the process to which the request applies. */
    public static final class NotApplicableException extends WaybillException {
        private static final long serialVersionUID = 1;

        NotApplicableException(String message) {
            super(message);
        }
    }

    /**
     * What became of a request.
     *
     * @param what was asked, in words
     * @param says why it was refused, or what happens next
     */
    public record Result(UUID process, String what, Outcome outcome, String says) {}

    /**
     * A request about a process that exists.
     *
     * @param subject the step or the signal; where it is empty and the verb needs a step, the only one that fits
     * @param by who asks
     * @throws NotApplicableException when there is no such process or no such step, or the step must be said
     */
    public ProcessRequest request(
            UUID process, Verb verb, String subject, Map<String, Object> data, String by, String reason, String key) {
        ProcessState state = store.read(process)
                .orElseThrow(() -> new NotApplicableException("There is no process " + process
                        + " any more: it was removed after it was finished, by its retention or by an operator."));
        boolean needsStep = verb == Verb.RETRY || verb == Verb.SKIP || verb == Verb.RESOLVE;
        String chosen = needsStep && subject.isEmpty() ? onlyStep(verb, state) : subject;
        return new ProcessRequest(UuidV7.SYSTEM.get(), verb, chosen, data, by, reason, key);
    }

    private static String onlyStep(Verb verb, ProcessState state) {
        List<String> fitting = state.executions().stream()
                .filter(verb::fits)
                .map(StepExecution::label)
                .toList();
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        throw new NotApplicableException(
                fitting.isEmpty()
                        ? "It is " + state.status() + ", and no step of it waits to be tried again or is blocked."
                        : "Say which step: " + String.join(", ", fitting) + ".");
    }

    /** Asks the instances of the application. Requests about one process are carried out in the order of asking. */
    public void ask(UUID process, ProcessRequest request) {
        requests.ask(process, request);
    }

    /** Waits until the request was carried out or refused, and no longer than this. */
    public Result await(UUID process, ProcessRequest request, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        Optional<OperatorAsked> outcome = requests.outcome(process, request.id());
        while (outcome.isEmpty() && System.nanoTime() < deadline && pause()) {
            outcome = requests.outcome(process, request.id());
        }
        return outcome.map(asked -> new Result(
                        process,
                        asked.what(),
                        asked.refusal().isEmpty() ? Outcome.DONE : Outcome.REFUSED,
                        asked.refusal()))
                .orElseGet(() -> new Result(
                        process,
                        request.what(),
                        Outcome.NOT_TAKEN_YET,
                        "No instance of the application has taken it yet; it is done when one does."));
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
