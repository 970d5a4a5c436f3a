package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.api.MessageApi.PayloadView;
import io.waybill.console.operation.Operation.Progress;
import io.waybill.console.operation.Operation.Result;
import io.waybill.console.security.PayloadMask;
import io.waybill.console.view.AttemptView;
import io.waybill.jdbc.ops.OutboxFailures;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailureGroup;
import io.waybill.transport.wire.Headers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What could not be handled or published, by what is wrong with it. */
final class FailureApi {

    private static final String ALL = "/api/databases/{database}/failures";
    private static final int MAX_GROUPS = 50;

    private FailureApi() {}

    static List<ApiRoute> routes() {
        return List.of(
                get(
                        ALL,
                        "Groups of messages that could not be handled or published, the largest first",
                        GroupList.class,
                        FailureApi::groups),
                get(
                        ALL + "/messages",
                        "Messages that could not be handled, in the order in which they failed, by any of these filters",
                        FailedPage.class,
                        FailureApi::list,
                        "group",
                        "source",
                        "handler",
                        "type",
                        "key",
                        "error",
                        "retried",
                        "after",
                        "limit"),
                get(
                        ALL + "/messages/{id}",
                        "One of them with its payload, headers, error and stack trace",
                        FailedDetail.class,
                        FailureApi::show,
                        "reveal"),
                post(ALL + "/retry", "Retry messages", FailedChange.class, Action.Done.class, FailureApi::retry),
                post(ALL + "/discard", "Discard messages", FailedChange.class, Action.Done.class, FailureApi::discard),
                post(
                        ALL + "/messages/{id}/edit",
                        "Change the payload or headers of a message, and retry it if wanted",
                        FailedEdit.class,
                        Action.Done.class,
                        FailureApi::edit));
    }

    /**
     * Messages with the same error.
     *
     * @param kind {@code handler} or {@code publish}: what failed
     * @param id of a group of handlers; empty otherwise
     * @param source where messages came from, or the destination they were for
     * @param failedAgain how many of them failed again after somebody had retried them
     * @param filter what to ask the list for, and to give to a change
     */
    record GroupView(
            String kind,
            String id,
            String error,
            String source,
            String handler,
            long count,
            long failedAgain,
            Instant first,
            Instant last,
            Map<String, String> filter) {}

    /** @param more whether there are groups that are not listed */
    record GroupList(List<GroupView> items, boolean more) {}

    /** Which failed messages; what is absent does not matter. Without anything, {@code all} must be true. */
    record FailedFilter(
            @Nullable List<String> ids,
            @Nullable String group,
            @Nullable String source,
            @Nullable String handler,
            @Nullable String type,
            @Nullable String key,
            @Nullable String error,
            @Nullable Boolean retried,
            @Nullable Boolean all) {

        FailedSelection selection() {
            FailedSelection these = ids == null || ids.isEmpty()
                    ? FailedSelection.all()
                    : FailedSelection.of(ids.stream().map(FailureApi::number).toList());
            return (Boolean.TRUE.equals(retried) ? these.thatFailedAgain() : these)
                    .inGroup(MessageApi.text(group))
                    .from(MessageApi.text(source))
                    .notHandledBy(MessageApi.text(handler))
                    .ofType(MessageApi.text(type))
                    .inOrderOf(MessageApi.text(key))
                    .withError(MessageApi.text(error));
        }

        String command(String verb) {
            String command = Action.command(
                    "failed " + verb,
                    "--group",
                    MessageApi.text(group),
                    "--from",
                    MessageApi.text(source),
                    "--handler",
                    MessageApi.text(handler),
                    "--type",
                    MessageApi.text(type),
                    "--key",
                    MessageApi.text(key),
                    "--error",
                    MessageApi.text(error));
            String these =
                    ids == null ? "" : ids.stream().map(id -> " --id " + id).collect(Collectors.joining());
            String again = Boolean.TRUE.equals(retried) ? " --retried" : "";
            return command + again + these + (Boolean.TRUE.equals(all) ? " --all" : "");
        }
    }

    /** @param target {@code handler}, or {@code queue} to send them back to where they came from */
    record FailedChange(
            @Nullable FailedFilter filter,
            @Nullable String target,
            @Nullable String reason) {

        FailedSelection selection() {
            if (filter == null) {
                throw ApiError.invalid("The filter is missing: say which messages.");
            }
            FailedSelection selection = filter.selection();
            if (selection.equals(FailedSelection.all()) && !Boolean.TRUE.equals(filter.all())) {
                throw ApiError.invalid("Nothing is selected. Say which messages, or \"all\": true for every one.");
            }
            return selection;
        }

        Target to() {
            String wanted = MessageApi.text(target);
            return wanted.isEmpty()
                    ? Target.HANDLER
                    : ApiCall.choices("target", List.of(wanted), Target.class)
                            .iterator()
                            .next();
        }

        String command(String verb) {
            return filter == null ? verb : filter.command(verb);
        }
    }

    /** @param headers whose values are set, or removed when they are empty */
    record FailedEdit(
            @Nullable String payload,
            @Nullable Map<String, String> headers,
            @Nullable Boolean retry,
            @Nullable String reason) {}

    /** A row of a list. */
    record FailedView(
            String id,
            String messageId,
            String state,
            String group,
            String kind,
            String error,
            String handler,
            String source,
            String type,
            String key,
            String correlation,
            int attempts,
            int retries,
            Instant firstFailedAt,
            Instant lastFailedAt) {

        static FailedView of(FailedMessage failed) {
            Envelope message = failed.message();
            return new FailedView(
                    String.valueOf(failed.id()),
                    message.id().toString(),
                    failed.state().name(),
                    failed.cause().fingerprint(),
                    failed.cause().kind(),
                    failed.cause().error(),
                    failed.handler(),
                    failed.source(),
                    message.type(),
                    message.partitionKey(),
                    message.headers().getOrDefault(Headers.CORRELATION_ID, ""),
                    failed.attempts(),
                    failed.retries(),
                    failed.firstFailedAt(),
                    failed.lastFailedAt());
        }
    }

    record FailedPage(List<FailedView> items, @Nullable String next) {}

    record FailedDetail(
            FailedView message,
            String stack,
            Map<String, String> headers,
            PayloadView payload,
            List<AttemptView> attempts,
            List<String> actions,
            Map<String, String> commands) {}

    private static GroupList groups(ApiCall call) {
        ConsoleDatabase database = call.database();
        List<FailureGroup> ofHandlers = database.failed().groups(FailedSelection.all());
        List<OutboxFailures.Group> ofOutbox = database.store().outboxFailures().groups(MAX_GROUPS);
        var groups = new ArrayList<GroupView>();
        ofHandlers.stream().limit(MAX_GROUPS).forEach(group -> groups.add(view(group)));
        ofOutbox.forEach(group -> groups.add(view(group)));
        groups.sort(Comparator.comparingLong(GroupView::count).reversed());
        return new GroupList(groups, ofHandlers.size() > MAX_GROUPS || ofOutbox.size() == MAX_GROUPS);
    }

    private static GroupView view(FailureGroup group) {
        return new GroupView(
                "handler",
                group.fingerprint(),
                group.label(),
                group.source(),
                group.handler(),
                group.count(),
                group.failedAgain(),
                group.first(),
                group.last(),
                Map.of("group", group.fingerprint(), "source", group.source(), "handler", group.handler()));
    }

    private static GroupView view(OutboxFailures.Group group) {
        return new GroupView(
                "publish",
                "",
                group.error(),
                group.destination(),
                "",
                group.count(),
                group.failedAgain(),
                group.first(),
                group.last(),
                Map.of("status", "FAILED", "destination", group.destination(), "errorGroup", group.error()));
    }

    private static FailedPage list(ApiCall call) {
        var filter = new FailedFilter(
                null,
                call.text("group"),
                call.text("source"),
                call.text("handler"),
                call.text("type"),
                call.text("key"),
                call.text("error"),
                call.text("retried").equals("true"),
                true);
        int limit = call.limit();
        List<FailedMessage> page = call.database().failed().list(filter.selection(), call.number("after", 0), limit);
        return new FailedPage(
                page.stream().map(FailedView::of).toList(),
                page.size() < limit
                        ? null
                        : String.valueOf(page.get(page.size() - 1).id()));
    }

    private static FailedDetail show(ApiCall call) {
        FailedMessage failed = find(call);
        PayloadMask masking = call.masking("failed message " + failed.id());
        return new FailedDetail(
                FailedView.of(failed),
                failed.cause().stack(),
                masking.headers(failed.message().headers()),
                PayloadView.of(failed.message(), masking),
                AttemptView.of(failed.attemptLog()),
                List.of("retry", "edit", "discard"),
                Map.of(
                        "show", "waybill failed show " + failed.id(),
                        "retry", "waybill failed retry --id " + failed.id(),
                        "edit", "waybill failed edit " + failed.id(),
                        "discard", "waybill failed discard --id " + failed.id()));
    }

    private static FailedMessage find(ApiCall call) {
        long id = number(call.variable("id"));
        return call.database().failed().list(FailedSelection.of(Set.of(id)), 0, 1).stream()
                .findFirst()
                .orElseThrow(() -> ApiError.notFound("There is no failed message " + id
                        + ". It may have been retried or discarded by somebody else."));
    }

    static Action.Done retry(ApiCall call) {
        FailedChange change = call.body(FailedChange.class);
        FailedSelection selection = change.selection();
        Target target = change.to();
        String reason = Action.reason(MessageApi.text(change.reason()));
        String command = change.command("retry") + (target == Target.QUEUE ? " --to-queue" : "");
        return Action.runAll(call, command, reason, progress -> retried(call, selection, target, reason, progress));
    }

    private static Result retried(
            ApiCall call, FailedSelection selection, Target target, String reason, Progress progress) {
        long total = progress.selected(call.failed().count(selection));
        FailedMessages.Retried retried = call.failed().retry(selection, target, reason, progress);
        return Result.of(
                "failed messages retried",
                total,
                retried.onTheirWay(),
                retried.refused(),
                "an earlier message of their key goes first");
    }

    static Action.Done discard(ApiCall call) {
        FailedChange change = call.body(FailedChange.class);
        FailedSelection selection = change.selection();
        String reason = Action.reason(MessageApi.text(change.reason()));
        String command = change.command("discard");
        return Action.runAll(call, command, reason, progress -> {
            long total = progress.selected(call.failed().count(selection));
            long changed = call.failed().discard(selection, reason, progress);
            return Result.of("failed messages discarded", total, changed, 0, "");
        });
    }

    private static Action.Done edit(ApiCall call) {
        FailedEdit change = call.body(FailedEdit.class);
        FailedMessage failed = find(call);
        String reason = Action.reason(MessageApi.text(change.reason()));
        boolean retry = Boolean.TRUE.equals(change.retry());
        String command =
                "waybill failed edit " + failed.id() + (retry ? " && waybill failed retry --id " + failed.id() : "");
        return Action.run(call, command, reason, progress -> {
            FailedMessages operations = call.failed();
            operations.edit(
                    failed.id(),
                    Optional.ofNullable(change.payload()).map(Payload::text),
                    Optional.ofNullable(change.headers()).orElse(Map.of()),
                    reason);
            return retry
                    ? retried(call, FailedSelection.of(Set.of(failed.id())), Target.HANDLER, reason, progress)
                    : new Result("1 failed message edited", 1, 0);
        });
    }

    static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw ApiError.invalid("'" + text + "' is not the id of a failed message, such as 4711.");
        }
        return Long.parseLong(text);
    }
}
