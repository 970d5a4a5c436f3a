package io.waybill.console.work;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.api.Action;
import io.waybill.console.api.ApiCall;
import io.waybill.console.api.ApiError;
import io.waybill.console.api.ApiRoute;
import io.waybill.console.operation.Operation.Result;
import io.waybill.console.security.PayloadMask;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.ops.ScheduledOperations;
import io.waybill.ops.ScheduledOperations.Filter;
import io.waybill.ops.ScheduledOperations.Page;
import io.waybill.store.admin.ScheduledMessage;
import io.waybill.store.admin.ScheduledMessage.Position;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages that are scheduled for later. */
public final class ScheduledApi {

    private static final String ALL = "/api/databases/{database}/scheduled";

    /** A filter has no index: so many statements look through what one page searches. */
    private static final int LIST_COST = 4;

    private ScheduledApi() {}

    public static List<ApiRoute> routes() {
        return List.of(
                get(
                                ALL,
                                "Messages that are scheduled for later, the next one first, by any of these filters",
                                ScheduledPage.class,
                                ScheduledApi::list,
                                "destination",
                                "type",
                                "key",
                                "after",
                                "limit")
                        .costing(LIST_COST),
                get(
                        ALL + "/{id}",
                        "One scheduled message with its payload and headers",
                        ScheduledDetail.class,
                        ScheduledApi::show,
                        "reveal"),
                post(
                        ALL + "/discard",
                        "Discard scheduled messages",
                        ScheduledChange.class,
                        Action.Done.class,
                        ScheduledApi::discard),
                post(
                        ALL + "/{id}/publish",
                        "Publish one scheduled message now",
                        ScheduledReason.class,
                        Action.Done.class,
                        ScheduledApi::publish));
    }

    /** A row of a list. */
    record ScheduledView(
            String id, Instant dueAt, String category, String type, String destination, String key, String messageKey) {

        static ScheduledView of(ScheduledMessage message) {
            Envelope envelope = message.envelope();
            return new ScheduledView(
                    envelope.id().toString(),
                    message.dueAt(),
                    envelope.category().name(),
                    envelope.type(),
                    envelope.destination(),
                    envelope.partitionKey(),
                    envelope.key());
        }
    }

    /**
     * A page.
     *
     * @param next what the next page is asked for with; null when there is none
     * @param searched how many messages were looked at
     */
    record ScheduledPage(
            List<ScheduledView> items, @Nullable String next, int searched) {}

    /** @param text of binary payloads their bytes in Base64 */
    record ScheduledPayload(String contentType, boolean binary, int size, String text) {}

    record ScheduledDetail(
            ScheduledView message,
            Map<String, String> headers,
            ScheduledPayload payload,
            Map<String, String> commands) {}

    /** Which messages; what is absent does not matter. Without anything, {@code all} must be true. */
    record ScheduledFilter(
            @Nullable List<String> ids,
            @Nullable String destination,
            @Nullable String type,
            @Nullable String key,
            @Nullable Boolean all) {

        Filter filter() {
            return new Filter(
                    ids == null ? Set.of() : ids.stream().map(ApiCall::uuid).collect(Collectors.toSet()),
                    SubmissionApi.text(destination),
                    SubmissionApi.text(type),
                    SubmissionApi.text(key));
        }

        String command() {
            String these =
                    ids == null ? "" : ids.stream().map(id -> " --id " + id).collect(Collectors.joining());
            return Action.command(
                            "outbox scheduled discard",
                            "--destination",
                            SubmissionApi.text(destination),
                            "--type",
                            SubmissionApi.text(type),
                            "--key",
                            SubmissionApi.text(key))
                    + these
                    + (Boolean.TRUE.equals(all) ? " --all" : "");
        }
    }

    record ScheduledChange(
            @Nullable ScheduledFilter filter, @Nullable String reason) {}

    record ScheduledReason(@Nullable String reason) {}

    private static ScheduledOperations operations(ApiCall call) {
        return new ScheduledOperations(call.database().store().scheduledMessages());
    }

    private static ScheduledPage list(ApiCall call) {
        var filter = new Filter(Set.of(), call.text("destination"), call.text("type"), call.text("key"));
        Page page = operations(call).list(filter, position(call.text("after")), call.limit());
        return new ScheduledPage(
                page.items().stream().map(ScheduledView::of).toList(),
                page.next().map(next -> next.dueAt() + "_" + next.id()).orElse(null),
                page.searched());
    }

    private static Position position(String text) {
        if (text.isEmpty()) {
            return Position.START;
        }
        String[] parts = text.split("_", 2);
        if (parts.length < 2) {
            throw ApiError.invalid("after (" + text + ") is not what 'next' of a page says.");
        }
        return new Position(ApiCall.instant("after", parts[0]), ApiCall.uuid(parts[1]));
    }

    private static ScheduledDetail show(ApiCall call) {
        UUID id = call.id();
        ScheduledMessage message = operations(call)
                .find(id)
                .orElseThrow(() -> ApiError.notFound("Message " + id
                        + " is not scheduled any more. It was appended to the outbox when it was due, or discarded."));
        PayloadMask masking = call.masking("scheduled message " + id);
        Payload payload = message.envelope().payload();
        return new ScheduledDetail(
                ScheduledView.of(message),
                masking.headers(message.envelope().headers()),
                new ScheduledPayload(
                        message.envelope().contentType(), !payload.isText(), payload.size(), masking.payload(payload)),
                Map.of(
                        "publish", "waybill outbox scheduled publish " + id,
                        "discard", "waybill outbox scheduled discard --id " + id));
    }

    private static Action.Done discard(ApiCall call) {
        ScheduledChange change = call.body(ScheduledChange.class);
        ScheduledFilter asked = Optional.ofNullable(change.filter())
                .orElseThrow(() -> ApiError.invalid("The filter is missing: say which messages."));
        Filter filter = asked.filter();
        if (filter.equals(Filter.ALL) && !Boolean.TRUE.equals(asked.all())) {
            throw ApiError.invalid("Nothing is selected. Say which messages, or \"all\": true for every one.");
        }
        String reason = SubmissionApi.text(change.reason());
        return Action.run(call, asked.command(), reason, progress -> {
            long total = progress.selected(operations(call).count(filter));
            long changed = operations(call).discard(filter, reason, progress);
            return Result.of("scheduled messages discarded", total, changed, 0, "");
        });
    }

    private static Action.Done publish(ApiCall call) {
        UUID id = call.id();
        String reason = SubmissionApi.text(call.body(ScheduledReason.class).reason());
        return Action.run(call, "waybill outbox scheduled publish " + id, reason, progress -> {
            operations(call).publish(id);
            return new Result("1 scheduled message made due; the next relay publishes it", 1, 0);
        });
    }
}
