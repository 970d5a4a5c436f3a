package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.security.PayloadMask;
import io.waybill.console.view.EventView;
import io.waybill.jdbc.ops.ProcessAdmin;
import io.waybill.message.Payload;
import io.waybill.ops.ProcessOperations;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.message.ProcessRequest;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StateView;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepStatus;
import io.waybill.process.view.Explanation;
import io.waybill.process.view.ProcessSvg;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Processes, and what an operator does with them. */
final class ProcessApi {

    private static final String ALL = "/api/databases/{database}/processes";
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int DETAIL_COST = 6;
    private static final int MAX_STEPS_WITH_DATA = 100;

    private ProcessApi() {}

    static List<ApiRoute> routes() {
        Stream<ApiRoute> reads = Stream.of(
                get(
                        ALL,
                        "Processes, the latest first, by any of these filters",
                        ProcessPageView.class,
                        ProcessApi::list,
                        "status",
                        "type",
                        "key",
                        "after",
                        "limit"),
                get(
                                ALL + "/{id}",
                                "One process: what it waits for, its steps, data and log",
                                ProcessDetail.class,
                                ProcessApi::show,
                                "reveal")
                        .costing(DETAIL_COST),
                get(
                        ALL + "/{id}/graph.svg",
                        "What the process has begun, as a drawing",
                        String.class,
                        ProcessApi::graph));
        Stream<ApiRoute> changes = Arrays.stream(Verb.values())
                .filter(verb -> verb != Verb.CANCEL_WITHOUT_COMPENSATION)
                .map(verb -> post(
                        ALL + "/{id}/" + word(verb),
                        summary(verb),
                        ProcessAction.class,
                        ProcessResult.class,
                        call -> operate(call, verb)));
        return Stream.concat(reads, changes).toList();
    }

    private static String word(Verb verb) {
        return verb.name().toLowerCase(Locale.ROOT);
    }

    private static String summary(Verb verb) {
        return switch (verb) {
            case PAUSE -> "Hold the process: replies are noted, nothing is begun";
            case RESUME -> "Let a paused process go on";
            case CANCEL, CANCEL_WITHOUT_COMPENSATION ->
                "End the process and compensate what it has done, unless \"compensate\" is false";
            case RETRY -> "Try a step, or the compensation of a step, again at once";
            case SKIP -> "Give up the compensation of a step: what the step did stays done";
            case RESOLVE -> "Say that somebody has compensated a step by hand";
            case SIGNAL -> "Send the process a signal";
        };
    }

    /**
     * What is wanted.
     *
     * @param step needed where more than one fits
     * @param signal the name of a signal
     * @param data what comes with a signal
     * @param key with which a second signal of the name changes nothing
     * @param compensate false to cancel without compensating anything
     */
    record ProcessAction(
            @Nullable String step,
            @Nullable String signal,
            @Nullable Map<String, Object> data,
            @Nullable String key,
            @Nullable Boolean compensate,
            @Nullable String reason) {}

    /** @param outcome {@code done}, {@code refused} or {@code not taken yet} */
    record ProcessResult(String process, String what, String outcome, String says, String command) {}

    /** A row of a list. */
    record ProcessView(
            String id,
            String type,
            int version,
            String key,
            String status,
            String step,
            int retries,
            String reason,
            @Nullable Instant dueAt,
            Instant createdAt,
            Instant updatedAt) {

        static ProcessView of(ProcessAdmin.Row row) {
            return new ProcessView(
                    row.id().toString(),
                    row.type(),
                    row.version(),
                    row.key(),
                    row.status().name(),
                    row.step(),
                    row.retries(),
                    row.reason(),
                    row.dueAt(),
                    row.createdAt(),
                    row.updatedAt());
        }
    }

    record ProcessPageView(
            List<ProcessView> items, @Nullable String next) {}

    /**
     * An execution of a step, a fork or a branch.
     *
     * @param parent the number of the fork or branch it belongs to; 0 is the process
     * @param before the data of the process that it saw, as JSON; null where there are too many steps to show it for each
     * @param after the same with its reply; null while it is not done
     * @param actions what can be done with it now
     */
    record StepView(
            int number,
            int parent,
            String kind,
            String step,
            int position,
            String status,
            int attempt,
            @Nullable String commandId,
            @Nullable String compensationCommandId,
            @Nullable Instant dueAt,
            boolean inDoubt,
            Map<String, Object> input,
            Map<String, Object> reply,
            @Nullable String before,
            @Nullable String after,
            String error,
            Instant since,
            List<String> actions) {}

    /**
     * A process.
     *
     * @param explanation what it waits for, since when, and what happens next
     * @param blocked whether compensating it waits for an operator
     * @param dataText the data as JSON, in which no number has lost a digit
     * @param actions what can be done with it now
     */
    record ProcessDetail(
            ProcessView process,
            String explanation,
            boolean blocked,
            @Nullable Instant deadline,
            @Nullable String parent,
            Map<String, Object> data,
            String dataText,
            List<StepView> steps,
            List<EventView> log,
            List<String> actions,
            Map<String, String> commands) {}

    private static ProcessPageView list(ApiCall call) {
        var query = new ProcessAdmin.Query(
                call.choices("status", ProcessStatus.class), call.text("type"), call.text("key"));
        int limit = call.limit();
        List<ProcessAdmin.Row> page =
                call.database().store().processAdmin().latest(query, position(call.text("after")), limit);
        return new ProcessPageView(
                page.stream().map(ProcessView::of).toList(),
                page.size() < limit || !query.key().isEmpty() ? null : text(page.get(page.size() - 1)));
    }

    private static String text(ProcessAdmin.Row row) {
        return row.createdAt() + "_" + row.id();
    }

    private static ProcessAdmin.Position position(String text) {
        if (text.isEmpty()) {
            return ProcessAdmin.Position.START;
        }
        String[] parts = text.split("_", 2);
        if (parts.length < 2) {
            throw ApiError.invalid("after (" + text + ") is not what 'next' of a page says.");
        }
        return new ProcessAdmin.Position(ApiCall.instant("after", parts[0]), ApiCall.uuid(parts[1]));
    }

    private static ProcessDetail show(ApiCall call) {
        UUID id = call.id();
        ProcessState state = state(call, id);
        List<LoggedEvent> log = call.database().processes().history(id);
        PayloadMask masking = call.masking("process " + id);
        var parent = state.parent();
        return new ProcessDetail(
                view(state),
                Explanation.ofStored(state, log.stream().map(LoggedEvent::event).toList())
                        .text(),
                state.isBlocked(),
                state.deadline(),
                parent == null ? null : parent.processId().toString(),
                masking.fields(state.header().instance().data()),
                ApiJson.text(masking.fields(state.header().instance().data())),
                state.executions().stream()
                        .map(step -> view(state, step, masking))
                        .toList(),
                log.stream().map(event -> EventView.of(event, masking)).toList(),
                actions(state),
                Map.of(
                        "show", "waybill process show " + id,
                        "explain", "waybill process explain " + id,
                        "cancel", "waybill process cancel " + id,
                        "pause", "waybill process pause " + id,
                        "resume", "waybill process resume " + id));
    }

    private static ProcessState state(ApiCall call, UUID id) {
        return call.database()
                .processes()
                .read(id)
                .orElseThrow(() -> ApiError.notFound("There is no process " + id
                        + ". It was never started, or has been removed after it was finished."));
    }

    private static ProcessView view(ProcessState state) {
        ProcessInstance instance = state.header().instance();
        return new ProcessView(
                instance.processId().toString(),
                instance.processType(),
                state.version(),
                instance.businessKey(),
                instance.status().name(),
                instance.currentStep(),
                instance.retries(),
                state.reason(),
                state.header().nextDue(state.executions()).orElse(null),
                instance.createdAt(),
                instance.updatedAt());
    }

    private static StepView view(ProcessState state, StepExecution step, PayloadMask masking) {
        boolean shown = state.executions().size() <= MAX_STEPS_WITH_DATA;
        ProcessData before = shown ? new StateView(state).dataSeenBy(step) : ProcessData.of(Map.of());
        boolean replied = step.status() == StepStatus.COMPLETED
                || step.status().hasCompensation()
                || !step.reply().isEmpty();
        List<String> actions = Stream.of(Verb.RETRY, Verb.SKIP, Verb.RESOLVE)
                .filter(verb -> verb.fits(step))
                .map(ProcessApi::word)
                .toList();
        return new StepView(
                step.number(),
                step.parent(),
                step.kind().name(),
                step.label(),
                step.position(),
                step.status().name(),
                step.attempt(),
                id(step.commandId()),
                id(step.compensationCommandId()),
                step.dueAt(),
                step.inDoubt(),
                masking.fields(step.input()),
                masking.fields(step.reply()),
                shown ? ApiJson.text(masking.fields(before)) : null,
                shown && replied ? ApiJson.text(masking.fields(before.with(step.reply()))) : null,
                step.error(),
                step.since(),
                actions);
    }

    private static @Nullable String id(@Nullable UUID id) {
        return id == null ? null : id.toString();
    }

    private static List<String> actions(ProcessState state) {
        var actions = new ArrayList<String>();
        if (state.status() == ProcessStatus.PAUSED) {
            actions.add("resume");
        } else if (!state.status().isFinished()) {
            actions.add("pause");
        }
        if (!state.status().isFinished()) {
            actions.add("cancel");
            actions.add("signal");
        }
        return actions;
    }

    private static ConsoleResponse graph(ApiCall call) {
        return ConsoleResponse.of(200, "image/svg+xml", Payload.text(ProcessSvg.of(state(call, call.id()))))
                .header("Cache-Control", "no-store");
    }

    private static ProcessResult operate(ApiCall call, Verb asked) {
        UUID id = call.id();
        state(call, id);
        ProcessAction action = call.body(ProcessAction.class);
        Verb verb = asked == Verb.CANCEL && Boolean.FALSE.equals(action.compensate())
                ? Verb.CANCEL_WITHOUT_COMPENSATION
                : asked;
        String reason = Action.reason(MessageApi.text(action.reason()));
        String subject = MessageApi.text(verb == Verb.SIGNAL ? action.signal() : action.step());
        if (verb == Verb.SIGNAL && subject.isEmpty()) {
            throw ApiError.invalid("The signal is missing: say its name.");
        }
        ProcessOperations operations = call.database().processOperations();
        ProcessRequest request = operations.request(
                id,
                verb,
                subject,
                Optional.ofNullable(action.data()).orElse(Map.of()),
                call.identity().name(),
                reason,
                MessageApi.text(action.key()));
        String command = command(id, verb, request.subject());
        var result = new ProcessOperations.Result[1];
        Action.now(call, command, reason, () -> {
            operations.ask(id, request);
            call.database().store().wakeRelays();
            result[0] = operations.await(id, request, PATIENCE);
            return id + ": " + result[0].outcome().word();
        });
        return new ProcessResult(
                id.toString(), result[0].what(), result[0].outcome().word(), result[0].says(), command);
    }

    private static String command(UUID id, Verb verb, String subject) {
        return switch (verb) {
            case CANCEL_WITHOUT_COMPENSATION -> "waybill process cancel --without-compensation " + id;
            case SIGNAL -> Action.command("process signal", "--name", subject) + " " + id;
            default -> Action.command("process " + word(verb), "--step", subject) + " " + id;
        };
    }
}
