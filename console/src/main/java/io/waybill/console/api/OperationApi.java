package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.operation.Operation;
import io.waybill.console.operation.Operation.Result;
import io.waybill.console.operation.Operations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Changes of many messages, with their progress. */
final class OperationApi {

    private static final String ALL = "/api/databases/{database}/operations";

    private OperationApi() {}

    static List<ApiRoute> routes() {
        return List.of(
                get(
                        ALL,
                        "Changes of many messages that this console runs or has run, the latest first",
                        OperationList.class,
                        OperationApi::list),
                get(ALL + "/{id}", "One of them, with its progress", OperationView.class, OperationApi::show),
                post(
                        ALL + "/{id}/cancel",
                        "End one after the step that is being done; what was changed stays changed",
                        Void.class,
                        OperationView.class,
                        OperationApi::cancel));
    }

    /**
     * A change of many messages.
     *
     * @param state {@code RUNNING}, {@code DONE}, {@code CANCELLED} or {@code FAILED}
     * @param done how many are changed so far
     * @param refused how many were selected and not changed
     */
    record OperationView(
            String id,
            String state,
            long done,
            long refused,
            String operator,
            String command,
            String reason,
            Instant startedAt,
            String result) {

        static OperationView of(Operation operation) {
            Operation.State state = operation.state();
            Optional<Result> result = state == Operation.State.RUNNING || state == Operation.State.FAILED
                    ? Optional.empty()
                    : Operations.await(operation, Duration.ZERO);
            return new OperationView(
                    operation.id().toString(),
                    state.name(),
                    result.map(Result::changed).orElse(operation.done()),
                    result.map(Result::refused).orElse(0L),
                    operation.operator(),
                    operation.command(),
                    operation.reason(),
                    operation.startedAt(),
                    result.map(Result::what)
                            .orElse(state == Operation.State.FAILED ? "It failed; the audit says why" : ""));
        }
    }

    record OperationList(List<OperationView> items) {}

    private static OperationList list(ApiCall call) {
        return new OperationList(call.context().operations().of(call.database().name()).stream()
                .map(OperationView::of)
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

    private static Operation find(ApiCall call) {
        UUID id = call.id();
        return call.context()
                .operations()
                .find(call.database().name(), id)
                .orElseThrow(() -> ApiError.notFound("This console does not run the operation " + id
                        + ". The audit has it, with how far it was when its process ended."));
    }
}
