package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;
import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.toSet;

import io.waybill.console.operation.Operation;
import io.waybill.console.operation.Operation.Result;
import io.waybill.console.operation.Operations;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.jdbc.ops.OperationLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Changes of many messages, with their progress. */
final class OperationApi {

    private static final String ALL = "/api/databases/{database}/operations";

    /** Among so many of the latest changes interrupted ones are looked for. */
    private static final int MAX_LOOKED_AT = 500;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final Supplier<List<ApiRoute>> all;

    /** @param all the table of routes: what was interrupted is started again by the route that it came by */
    OperationApi(Supplier<List<ApiRoute>> all) {
        this.all = all;
    }

    List<ApiRoute> routes() {
        return List.of(
                get(
                        ALL,
                        "Changes of many messages that this console runs or has run, and those that were interrupted, the latest first",
                        OperationList.class,
                        this::list),
                get(ALL + "/{id}", "One of them, with its progress", OperationView.class, OperationApi::show),
                post(
                        ALL + "/{id}/cancel",
                        "End one after the step that is being done; what was changed stays changed",
                        Void.class,
                        OperationView.class,
                        OperationApi::cancel),
                post(
                        ALL + "/{id}/rest",
                        "Start one again that was interrupted, for what it has not changed",
                        Void.class,
                        Action.Done.class,
                        this::rest));
    }

    /**
     * A change of many messages.
     *
     * @param state {@code RUNNING}, {@code DONE}, {@code CANCELLED}, {@code FAILED}, or {@code INTERRUPTED} when its process has ended
     * @param done the same as {@code changed}
     * @param refused the same as {@code skipped}
     * @param total how many were selected when it began; null as long as that is not known
     * @param changed how many are changed so far
     * @param skipped how many were looked at and not changed
     * @param conflicting how many somebody else had changed before it came to them; known at its end
     * @param hasRest whether the rest of one that was interrupted can be started here
     */
    record OperationView(
            String id,
            String state,
            long done,
            long refused,
            @Nullable Long total,
            long changed,
            long skipped,
            long conflicting,
            String operator,
            String command,
            String reason,
            Instant startedAt,
            String result,
            boolean hasRest) {

        /** One whose process has ended: the audit says how far it was. */
        static OperationView of(OperationLog.Entry entry, boolean hasRest) {
            String done = soFar(entry);
            long changed = NUMBER.matcher(done).matches() ? Long.parseLong(done) : 0;
            return new OperationView(
                    entry.id().toString(),
                    "INTERRUPTED",
                    changed,
                    0,
                    null,
                    changed,
                    0,
                    0,
                    entry.operator(),
                    entry.command(),
                    entry.reason(),
                    entry.startedAt(),
                    "Its process ended " + (entry.result().isEmpty() ? "before its first step" : "after " + done),
                    hasRest);
        }

        static OperationView of(Operation operation) {
            Operation.State state = operation.state();
            Optional<Result> result = state == Operation.State.RUNNING || state == Operation.State.FAILED
                    ? Optional.empty()
                    : Operations.await(operation, Duration.ZERO);
            Operation.Counts counts = operation.counts();
            return new OperationView(
                    operation.id().toString(),
                    state.name(),
                    counts.changed(),
                    counts.skipped(),
                    counts.total(),
                    counts.changed(),
                    counts.skipped(),
                    counts.conflicting(),
                    operation.operator(),
                    operation.command(),
                    operation.reason(),
                    operation.startedAt(),
                    result.map(Result::what)
                            .orElse(state == Operation.State.FAILED ? "It failed; the audit says why" : ""),
                    false);
        }
    }

    record OperationList(List<OperationView> items) {}

    private OperationList list(ApiCall call) {
        List<Operation> own = call.context().operations().of(call.database().name());
        Set<UUID> known = own.stream().map(Operation::id).collect(toSet());
        Stream<OperationView> interrupted = call.database().store().operationLog().interrupted(MAX_LOOKED_AT).stream()
                .filter(entry -> !known.contains(entry.id()))
                .map(entry -> OperationView.of(entry, route(entry).isPresent()));
        return new OperationList(Stream.concat(own.stream().map(OperationView::of), interrupted)
                .sorted(comparing(OperationView::startedAt).reversed())
                .toList());
    }

    private static OperationView show(ApiCall call) {
        return OperationView.of(find(call));
    }

    private static OperationView cancel(ApiCall call) {
        Operation operation = find(call);
        operation.cancel();
        return OperationView.of(operation);
    }

    private Object rest(ApiCall call) {
        UUID id = call.id();
        OperationLog.Entry entry = call.database().store().operationLog().interrupted(MAX_LOOKED_AT).stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow(() -> ApiError.notFound(
                        "The operation " + id + " is not interrupted: it goes on, or somebody has started its rest."));
        ApiRoute again = route(entry)
                .orElseThrow(() ->
                        new ApiError(409, "The rest of it cannot be started from here. Start the same change again."));
        String ended = "Interrupted" + (entry.result().isEmpty() ? "" : " after " + soFar(entry))
                + "; the rest was started again by " + call.identity().name();
        ConsoleRequest request = call.request()
                .at("/api/databases/" + call.database().name() + "/" + path(entry))
                .body(entry.request().substring(path(entry).length() + 1));
        var restOf = Optional.of(new Operations.Interrupted(id, ended));
        return again.handler().answer(new ApiCall(call.context(), request, call.identity(), call.variables(), restOf));
    }

    /** A change of all that a filter selects: the same request does the rest. */
    private Optional<ApiRoute> route(OperationLog.Entry entry) {
        String path = "/api/databases/{database}/" + path(entry);
        return all.get().stream()
                .filter(route -> route.path().equals(path) && route.isChange() && route.answer() == Action.Done.class)
                .findFirst();
    }

    /** How many were changed, as the entry says it while it goes on. */
    private static String soFar(OperationLog.Entry entry) {
        return entry.result().replaceFirst(" so far$", "");
    }

    private static String path(OperationLog.Entry entry) {
        return entry.request().lines().findFirst().orElse("");
    }

    private static Operation find(ApiCall call) {
        UUID id = call.id();
        return call.context()
                .operations()
                .find(call.database().name(), id)
                .orElseThrow(() -> ApiError.notFound("This console does not run the operation " + id
                        + ". The audit has it, with how far it was when its process ended."));
    }
}
