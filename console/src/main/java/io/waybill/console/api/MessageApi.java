package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.operation.Operation.Result;
import io.waybill.console.security.Masking;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.ops.Edit;
import io.waybill.store.IdRange;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.transport.wire.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages of the outbox. */
final class MessageApi {

    private static final String ALL = "/api/databases/{database}/messages";
    private static final int STEP = 500;
    private static final int MAX_SEARCHED = 10_000;

    private MessageApi() {}

    static List<ApiRoute> routes() {
        return List.of(
                get(
                        ALL,
                        "Messages of the outbox in the order of insertion, by any of these filters",
                        MessagePage.class,
                        MessageApi::list,
                        "id",
                        "status",
                        "destination",
                        "type",
                        "key",
                        "messageKey",
                        "correlation",
                        "error",
                        "olderThanSeconds",
                        "after",
                        "limit"),
                get(
                        ALL + "/{id}",
                        "One message with its payload and headers",
                        MessageDetail.class,
                        MessageApi::show,
                        "reveal"),
                post(
                        ALL + "/replay",
                        "Publish messages again that were refused",
                        MessageChange.class,
                        Action.Done.class,
                        MessageApi::replay),
                post(
                        ALL + "/discard",
                        "Discard messages that were not published",
                        MessageChange.class,
                        Action.Done.class,
                        MessageApi::discard),
                post(
                        ALL + "/{id}/replay",
                        "Publish one refused message again, with another payload or to another destination if given",
                        MessageEdit.class,
                        Action.Done.class,
                        MessageApi::replayOne),
                post(
                        "/api/databases/{database}/keys/unblock",
                        "Let a key move on that waits, is parked or blocked",
                        KeyChange.class,
                        Action.Done.class,
                        MessageApi::unblock));
    }

    /** Which messages; what is absent does not matter. Without anything, {@code all} must be true. */
    record MessageFilter(
            @Nullable List<String> ids,
            @Nullable List<String> statuses,
            @Nullable String destination,
            @Nullable String type,
            @Nullable String key,
            @Nullable String error,
            @Nullable Long olderThanSeconds,
            @Nullable Boolean all) {

        Selection selection() {
            Selection selected = ids == null || ids.isEmpty()
                    ? Selection.all()
                    : Selection.of(ids.stream().map(ApiCall::uuid).toList());
            return selected.withStatuses(
                            ApiCall.choices("status", statuses == null ? List.of() : statuses, OutboxStatus.class))
                    .to(text(destination))
                    .ofType(text(type))
                    .inOrderOf(text(key))
                    .withError(text(error))
                    .olderThan(Duration.ofSeconds(olderThanSeconds == null ? 0 : olderThanSeconds));
        }

        private static String text(@Nullable String value) {
            return value == null ? "" : value;
        }

        String command(String verb) {
            String command = Action.command(
                    "outbox " + verb,
                    "--status",
                    statuses == null ? "" : String.join(",", statuses),
                    "--destination",
                    text(destination),
                    "--type",
                    text(type),
                    "--key",
                    text(key),
                    "--error",
                    text(error));
            String these =
                    ids == null ? "" : ids.stream().map(id -> " --id " + id).collect(Collectors.joining());
            return command + these + (Boolean.TRUE.equals(all) ? " --all" : "");
        }
    }

    record MessageChange(
            @Nullable MessageFilter filter, @Nullable String reason) {

        Selection selection() {
            if (filter == null) {
                throw ApiError.invalid("The filter is missing: say which messages.");
            }
            Selection selection = filter.selection();
            if (selection.equals(Selection.all()) && !Boolean.TRUE.equals(filter.all())) {
                throw ApiError.invalid("Nothing is selected. Say which messages, or \"all\": true for every one.");
            }
            return selection;
        }

        String command(String verb) {
            return filter == null ? verb : filter.command(verb);
        }
    }

    /** Another payload or destination; what is absent stays. */
    record MessageEdit(
            @Nullable String payload,
            @Nullable String destination,
            @Nullable String reason) {}

    record KeyChange(
            @Nullable String destination,
            @Nullable String key,
            @Nullable String reason) {}

    /** A row of a list. */
    record MessageView(
            String id,
            String position,
            String status,
            String category,
            String type,
            String destination,
            String key,
            String messageKey,
            String correlation,
            int attempts,
            @Nullable String error,
            @Nullable Instant availableAt,
            Instant createdAt,
            @Nullable Instant dispatchedAt) {

        static MessageView of(StoredMessage stored) {
            Envelope envelope = stored.envelope();
            return new MessageView(
                    envelope.id().toString(),
                    String.valueOf(stored.position()),
                    stored.status().name(),
                    envelope.category().name(),
                    envelope.type(),
                    envelope.destination(),
                    envelope.partitionKey(),
                    envelope.key(),
                    envelope.headers().getOrDefault(Headers.CORRELATION_ID, ""),
                    stored.attempts(),
                    stored.error(),
                    stored.availableAt(),
                    stored.createdAt(),
                    stored.dispatchedAt());
        }
    }

    /**
     * A page.
     *
     * @param next what the next page is asked for with; null when there is none
     * @param searched how many messages were looked at, where a filter has no index
     */
    record MessagePage(List<MessageView> items, @Nullable String next, int searched) {}

    /**
     * A payload as it may be shown.
     *
     * @param text of binary payloads their bytes in Base64
     */
    record PayloadView(String contentType, boolean binary, int size, String text) {

        static PayloadView of(Envelope envelope, Masking masking) {
            Payload payload = envelope.payload();
            return new PayloadView(
                    envelope.contentType(),
                    !payload.isText(),
                    payload.size(),
                    payload.isText()
                            ? masking.text(payload.asText())
                            : Base64.getEncoder().encodeToString(payload.asBytes()));
        }
    }

    /**
     * A message.
     *
     * @param actions what can be done with it now
     * @param commands the same as command lines
     */
    record MessageDetail(
            MessageView message,
            int shard,
            Map<String, String> headers,
            PayloadView payload,
            List<String> actions,
            Map<String, String> commands) {}

    private static MessagePage list(ApiCall call) {
        Selection selection = selection(call);
        String messageKey = call.text("messageKey");
        String correlation = call.text("correlation");
        boolean searches = !messageKey.isEmpty() || !correlation.isEmpty();
        int limit = call.limit();
        long after = call.number("after", 0);
        var found = new ArrayList<MessageView>();
        int searched = 0;
        List<StoredMessage> some;
        boolean more;
        do {
            int step = searches ? STEP : limit;
            some = call.database().outbox().list(selection, after, step);
            more = some.size() == step;
            for (int i = 0; i < some.size() && found.size() < limit; i++) {
                StoredMessage stored = some.get(i);
                after = stored.position();
                searched++;
                boolean matches =
                        (messageKey.isEmpty() || stored.envelope().key().equals(messageKey))
                                && (correlation.isEmpty()
                                        || correlation.equals(
                                                stored.envelope().headers().get(Headers.CORRELATION_ID)));
                if (matches) {
                    found.add(MessageView.of(stored));
                }
                more |= found.size() == limit && i < some.size() - 1;
            }
        } while (more && found.size() < limit && searched < MAX_SEARCHED);
        return new MessagePage(found, more ? String.valueOf(after) : null, searched);
    }

    private static Selection selection(ApiCall call) {
        Selection selection = Selection.all()
                .withStatuses(call.choices("status", OutboxStatus.class))
                .to(call.text("destination"))
                .ofType(call.text("type"))
                .inOrderOf(call.text("key"))
                .withError(call.text("error"))
                .olderThan(Duration.ofSeconds(call.number("olderThanSeconds", 0)));
        String id = call.text("id");
        return id.isEmpty()
                ? selection
                : selection.in(IdRange.ofPrefix(id)
                        .orElseThrow(() -> ApiError.invalid("'" + id + "' is not the beginning of an id.")));
    }

    private static MessageDetail show(ApiCall call) {
        UUID id = call.id();
        StoredMessage stored = call.database()
                .outbox()
                .find(id)
                .orElseThrow(() -> ApiError.notFound(
                        "There is no message " + id + " in the outbox. It may have been published and cleaned up."));
        Masking masking = call.masking("message " + id);
        var actions = new ArrayList<String>();
        if (stored.status().isReplayable()) {
            actions.add("replay");
        }
        if (stored.status().isOpen()) {
            actions.add("discard");
        }
        return new MessageDetail(
                MessageView.of(stored),
                stored.shard(),
                masking.headers(stored.envelope().headers()),
                PayloadView.of(stored.envelope(), masking),
                actions,
                Map.of(
                        "show", "waybill outbox show " + id,
                        "replay", "waybill outbox replay --id " + id,
                        "discard", "waybill outbox discard --id " + id));
    }

    private static Action.Done replay(ApiCall call) {
        MessageChange change = call.body(MessageChange.class);
        Selection selection = change.selection();
        String command = change.command("replay");
        return Action.run(call, command, text(change.reason()), progress -> {
            long changed = call.database().outbox().replay(selection, progress);
            return new Result(changed + " messages replayed", changed, 0);
        });
    }

    private static Action.Done discard(ApiCall call) {
        MessageChange change = call.body(MessageChange.class);
        Selection selection = change.selection();
        String command = change.command("discard");
        String reason = text(change.reason());
        return Action.run(call, command, reason, progress -> {
            long changed = call.database().outbox().discard(selection, reason, progress);
            return new Result(changed + " messages discarded", changed, 0);
        });
    }

    private static Action.Done replayOne(ApiCall call) {
        UUID id = call.id();
        MessageEdit change = call.body(MessageEdit.class);
        Edit edit = Edit.NONE;
        if (change.payload() != null) {
            edit = edit.payload(change.payload());
        }
        if (change.destination() != null) {
            edit = edit.destination(change.destination());
        }
        Edit wanted = edit;
        String command = Action.command("outbox replay", "--id", id.toString());
        String what = wanted.equals(Edit.NONE) ? "1 message replayed" : "1 message edited and replayed";
        return Action.run(call, command, text(change.reason()), progress -> {
            call.database().outbox().replay(id, wanted);
            return new Result(what, 1, 0);
        });
    }

    private static Action.Done unblock(ApiCall call) {
        KeyChange change = call.body(KeyChange.class);
        String destination = text(change.destination());
        String key = text(change.key());
        if (destination.isEmpty() || key.isEmpty()) {
            throw ApiError.invalid("Give the destination and the key.");
        }
        String command = "console unblock " + Action.quoted(destination) + " " + Action.quoted(key);
        return Action.run(call, command, text(change.reason()), progress -> {
            boolean moved = call.database().outbox().unblock(destination, key);
            return new Result(moved ? "The key moves on" : "Nothing stops the key", moved ? 1 : 0, moved ? 0 : 1);
        });
    }

    static String text(@Nullable String value) {
        return Optional.ofNullable(value).orElse("");
    }
}
