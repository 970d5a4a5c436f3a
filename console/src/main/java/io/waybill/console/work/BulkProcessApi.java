package io.waybill.console.work;

import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.api.Action;
import io.waybill.console.api.ApiCall;
import io.waybill.console.api.ApiError;
import io.waybill.console.api.ApiRoute;
import io.waybill.console.operation.Operation.Result;
import io.waybill.jdbc.ops.BulkProcessRequests;
import io.waybill.jdbc.ops.ProcessAdmin.Query;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.ProcessStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The same change of all processes that match. */
public final class BulkProcessApi {

    private static final String ALL = "/api/databases/{database}/processes";

    private BulkProcessApi() {}

    public static List<ApiRoute> routes() {
        return Stream.of(Verb.RETRY, Verb.SKIP, Verb.RESOLVE, Verb.PAUSE, Verb.RESUME, Verb.CANCEL)
                .map(verb -> post(
                        ALL + "/" + word(verb),
                        "Ask the application to " + word(verb)
                                + " all processes that match; the log of each says what became of it",
                        ProcessesChange.class,
                        Action.Done.class,
                        call -> change(call, verb)))
                .toList();
    }

    private static String word(Verb verb) {
        return verb.name().toLowerCase(Locale.ROOT);
    }

    /** Which processes; what is absent does not matter. Without anything, {@code all} must be true. */
    record ProcessFilter(
            @Nullable List<String> statuses,
            @Nullable String type,
            @Nullable Boolean all) {

        private Query query() {
            return new Query(
                    ApiCall.choices("statuses", Optional.ofNullable(statuses).orElse(List.of()), ProcessStatus.class),
                    SubmissionApi.text(type),
                    "");
        }
    }

    /** @param step needed where more than one step of a process fits; where it is absent, such processes are refused */
    record ProcessesChange(
            @Nullable ProcessFilter filter,
            @Nullable String step,
            @Nullable String reason) {

        private Query query() {
            if (filter == null) {
                throw ApiError.invalid("The filter is missing: say which processes.");
            }
            Query query = filter.query();
            if (query.equals(Query.ANY) && !Boolean.TRUE.equals(filter.all())) {
                throw ApiError.invalid("Nothing is selected. Say which processes, or \"all\": true for every one.");
            }
            return query;
        }
    }

    private static Action.Done change(ApiCall call, Verb verb) {
        ProcessesChange change = call.body(ProcessesChange.class);
        Query query = change.query();
        String step = SubmissionApi.text(change.step());
        String reason = Action.reason(SubmissionApi.text(change.reason()));
        String command = command(verb, query, step);
        var requests = new BulkProcessRequests(
                call.database().store().processAdmin(), call.database().processOperations());
        return Action.runAll(call, command, reason, progress -> {
            long total = progress.selected(requests.count(query, verb));
            BulkProcessRequests.Asked asked =
                    requests.ask(query, verb, step, call.identity().name(), reason, progress);
            String refused = asked.refused() == 0 ? "" : ", " + asked.refused() + " not: no step of theirs fits";
            return new Result(
                    asked.asked() + " processes asked to " + word(verb) + refused,
                    total,
                    asked.asked(),
                    asked.refused());
        });
    }

    private static String command(Verb verb, Query query, String step) {
        String statuses = String.join(
                ",",
                query.statuses().stream()
                        .sorted()
                        .map(status -> status.name().toLowerCase(Locale.ROOT))
                        .toList());
        String line =
                Action.command("process " + word(verb), "--status", statuses, "--type", query.type(), "--step", step);
        return query.equals(Query.ANY) ? line + " --all" : line;
    }
}
