package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.operation.Operation.Result;
import io.waybill.console.security.PayloadMask;
import io.waybill.console.view.AttemptView;
import io.waybill.console.view.MessageView;
import io.waybill.jdbc.ops.MessageSearch;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.ops.Edit;
import io.waybill.store.IdRange;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Messages of the outbox. */
final class MessageApi {

    private static final String ALL = "/api/databases/{database}/messages";

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
                        "errorGroup",
                        "olderThanSeconds",
                        "retried",
                        "after",
                        "limit"),
                get(
                        ALL + "/{id}",
                        "One message with its payload, headers and attempts",
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
                        ALL + "/redirect",
                        "Publish messages that were refused to another destination, with what is held behind them",
                        MessageRedirect.class,
                        Action.Done.class,
                        MessageApi::redirect),
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

    /**
     * Which messages; what is absent does not matter. Without anything, {@code all} must be true.
     *
     * @param error a part of the last error
     * @param errorGroup the error of a group of failures, exactly
     */
    record MessageFilter(
            @Nullable List<String> ids,
            @Nullable List<String> statuses,
            @Nullable String destination,
            @Nullable String type,
            @Nullable String key,
            @Nullable String error,
            @Nullable String errorGroup,
            @Nullable Long olderThanSeconds,
            @Nullable Boolean retried,
            @Nullable Boolean all) {

        Selection selection() {
            Selection selected = ids == null || ids.isEmpty()
                    ? Selection.all()
                    : Selection.of(ids.stream().map(ApiCall::uuid).toList());
            selected = Boolean.TRUE.equals(retried) ? selected.thatWereRetried() : selected;
            return selected.withStatuses(
                            ApiCall.choices("status", statuses == null ? List.of() : statuses, OutboxStatus.class))
                    .to(text(destination))
                    .ofType(text(type))
                    .inOrderOf(text(key))
                    .withError(text(error))
                    .inErrorGroup(text(errorGroup))
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
                    text(error),
                    "--error-group",
                    text(errorGroup),
                    "--older-than",
                    olderThanSeconds == null || olderThanSeconds == 0
                            ? ""
                            : String.valueOf((olderThanSeconds + 59) / 60));
            String these =
                    ids == null ? "" : ids.stream().map(id -> " --id " + id).collect(Collectors.joining());
            String again = Boolean.TRUE.equals(retried) ? " --retried" : "";
            return command + again + these + (Boolean.TRUE.equals(all) ? " --all" : "");
        }
    }

    record MessageChange(
            @Nullable MessageFilter filter, @Nullable String reason) {

        Selection selection() {
            return selected(filter);
        }

        String command(String verb) {
            return filter == null ? verb : filter.command(verb);
        }
    }

    /** @param destination where they go */
    record MessageRedirect(
            @Nullable MessageFilter filter,
            @Nullable String destination,
            @Nullable String reason) {}

    private static Selection selected(@Nullable MessageFilter filter) {
        if (filter == null) {
            throw ApiError.invalid("The filter is missing: say which messages.");
        }
        Selection selection = filter.selection();
        if (selection.equals(Selection.all()) && !Boolean.TRUE.equals(filter.all())) {
            throw ApiError.invalid("Nothing is selected. Say which messages, or \"all\": true for every one.");
        }
        return selection;
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

    /**
     * A page.
     *
     * @param next what the next page is asked for with; null when there is none
     * @param searched how many messages were looked at; where a filter has no index that is bounded, and the next page continues behind them
     */
    record MessagePage(List<MessageView> items, @Nullable String next, long searched) {}

    /**
     * A payload as it may be shown.
     *
     * @param text of binary payloads their bytes in Base64
     */
    record PayloadView(String contentType, boolean binary, int size, String text) {

        static PayloadView of(Envelope envelope, PayloadMask masking) {
            Payload payload = envelope.payload();
            return new PayloadView(envelope.contentType(), !payload.isText(), payload.size(), masking.payload(payload));
        }
    }

    /**
     * A message.
     *
     * @param attempts what happened to it, the oldest first
     * @param actions what can be done with it now
     * @param commands the same as command lines
     */
    record MessageDetail(
            MessageView message,
            int shard,
            Map<String, String> headers,
            PayloadView payload,
            List<AttemptView> attempts,
            List<String> actions,
            Map<String, String> commands) {}

    private static MessagePage list(ApiCall call) {
        Selection selection = selection(call);
        long after = call.number("after", 0);
        int limit = call.limit();
        if (selection.idRange().isPresent()) {
            List<StoredMessage> found = call.database().outbox().list(selection, after, limit);
            return page(found, found.size() == limit ? found.get(limit - 1).position() : null, found.size());
        }
        var query = new MessageSearch.Query(selection, call.text("messageKey"), call.text("correlation"));
        MessageSearch.Page page = call.database().store().messageSearch().page(query, after, limit);
        return page(page.messages(), page.hasMore() ? page.position() : null, page.searched());
    }

    private static MessagePage page(List<StoredMessage> messages, @Nullable Long next, long searched) {
        return new MessagePage(
                messages.stream().map(MessageView::of).toList(), next == null ? null : next.toString(), searched);
    }

    private static Selection selection(ApiCall call) {
        Selection selection = Selection.all()
                .withStatuses(call.choices("status", OutboxStatus.class))
                .to(call.text("destination"))
                .ofType(call.text("type"))
                .inOrderOf(call.text("key"))
                .withError(call.text("error"))
                .inErrorGroup(call.text("errorGroup"))
                .olderThan(Duration.ofSeconds(call.number("olderThanSeconds", 0)));
        selection = call.text("retried").equals("true") ? selection.thatWereRetried() : selection;
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
        PayloadMask masking = call.masking("message " + id);
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
                AttemptView.of(stored.attemptLog()),
                actions,
                Map.of(
                        "show", "waybill outbox show " + id,
                        "replay", "waybill outbox replay --id " + id,
                        "edit", "waybill outbox edit " + id,
                        "redirect", "waybill outbox redirect --id " + id,
                        "discard", "waybill outbox discard --id " + id));
    }

    static Action.Done replay(ApiCall call) {
        MessageChange change = call.body(MessageChange.class);
        Selection selection = change.selection();
        String command = change.command("replay");
        return Action.runAll(call, command, text(change.reason()), progress -> {
            long total = progress.selected(count(call, selection, OutboxStatus::isReplayable));
            long changed = call.outbox().replay(selection, progress);
            return Result.of("messages replayed", total, changed, 0, "");
        });
    }

    static Action.Done discard(ApiCall call) {
        MessageChange change = call.body(MessageChange.class);
        Selection selection = change.selection();
        String command = change.command("discard");
        String reason = text(change.reason());
        return Action.runAll(call, command, reason, progress -> {
            long total = progress.selected(count(call, selection, OutboxStatus::isOpen));
            long changed = call.outbox().discard(selection, reason, progress);
            return Result.of("messages discarded", total, changed, 0, "");
        });
    }

    static Action.Done redirect(ApiCall call) {
        MessageRedirect change = call.body(MessageRedirect.class);
        Selection selection = selected(change.filter());
        String to = text(change.destination()).strip();
        if (to.isEmpty()) {
            throw ApiError.invalid("The destination is missing: say where they go.");
        }
        String command = new MessageChange(change.filter(), null).command("redirect --to " + Action.quoted(to));
        return Action.runAll(call, command, text(change.reason()), progress -> {
            long total = progress.selected(count(call, selection, OutboxStatus::isReplayable));
            long changed = call.outbox().redirect(selection, to, progress);
            long left = changed >= total ? 0 : count(call, selection, OutboxStatus::isReplayable);
            return Result.of(
                    "messages redirected to " + to,
                    total,
                    changed,
                    Math.min(left, Math.max(0, total - changed)),
                    "they are retries, which are for one handler");
        });
    }

    /** How many messages are selected that are in a status in which they can be changed. */
    private static long count(ApiCall call, Selection selection, Predicate<OutboxStatus> changeable) {
        Set<OutboxStatus> statuses = Stream.of(OutboxStatus.values())
                .filter(changeable)
                .filter(status ->
                        selection.statuses().isEmpty() || selection.statuses().contains(status))
                .collect(Collectors.toSet());
        return statuses.isEmpty() ? 0 : call.outbox().count(selection.withStatuses(statuses));
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
        String command = wanted.equals(Edit.NONE)
                ? Action.command("outbox replay", "--id", id.toString())
                : Action.command("outbox edit " + id, "--destination", text(change.destination()));
        String what = wanted.equals(Edit.NONE) ? "1 message replayed" : "1 message edited and replayed";
        return Action.run(call, command, text(change.reason()), progress -> {
            call.outbox().replay(id, wanted);
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
        String command = "waybill outbox unblock " + Action.quoted(destination) + " " + Action.quoted(key);
        return Action.run(call, command, text(change.reason()), progress -> {
            boolean moved = call.outbox().unblock(destination, key);
            return new Result(moved ? "The key moves on" : "Nothing stops the key", moved ? 1 : 0, moved ? 0 : 1);
        });
    }

    static String text(@Nullable String value) {
        return Optional.ofNullable(value).orElse("");
    }
}
