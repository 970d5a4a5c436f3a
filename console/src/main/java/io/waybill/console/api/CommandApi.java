package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;

import io.waybill.command.store.CommandStatus;
import io.waybill.console.security.PayloadMask;
import io.waybill.jdbc.ops.CommandAdmin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Commands. They belong to their sender, so they are only shown. */
final class CommandApi {

    private static final String ALL = "/api/databases/{database}/commands";
    private static final long DEFAULT_HOURS = 24;
    private static final long MAX_HOURS = 24 * 365L;

    private CommandApi() {}

    static List<ApiRoute> routes() {
        return List.of(
                get(
                        ALL,
                        "Commands, the latest first, by any of these filters",
                        CommandPage.class,
                        CommandApi::list,
                        "type",
                        "key",
                        "status",
                        "hours",
                        "before",
                        "limit"),
                get(
                        ALL + "/{id}",
                        "One command with its payload and reply",
                        CommandDetail.class,
                        CommandApi::show,
                        "reveal"));
    }

    record CommandView(
            String id,
            String type,
            String status,
            String idempotencyKey,
            String key,
            String correlation,
            int attempt,
            @Nullable Instant timeoutAt,
            Instant createdAt,
            Instant updatedAt) {

        static CommandView of(CommandAdmin.Stored stored) {
            return new CommandView(
                    stored.id().toString(),
                    stored.type(),
                    stored.status().name(),
                    stored.idempotencyKey(),
                    stored.businessKey(),
                    stored.correlationId().toString(),
                    stored.attempt(),
                    stored.timeoutAt(),
                    stored.createdAt(),
                    stored.updatedAt());
        }
    }

    /** @param next what to give as {@code before} for the next page; null when there is none */
    record CommandPage(List<CommandView> items, @Nullable String next) {}

    record CommandDetail(CommandView command, String payload, String reply) {}

    private static CommandPage list(ApiCall call) {
        var query = new CommandAdmin.Query(
                call.text("type"), call.text("key"), call.choices("status", CommandStatus.class));
        var within = Duration.ofHours(Math.max(1, Math.min(MAX_HOURS, call.number("hours", DEFAULT_HOURS))));
        int limit = call.limit();
        List<CommandAdmin.Stored> page =
                call.database().store().commandAdmin().before(query, position(call.text("before")), within, limit);
        return new CommandPage(
                page.stream().map(CommandView::of).toList(),
                page.size() < limit ? null : text(page.get(page.size() - 1).position()));
    }

    private static String text(CommandAdmin.Position position) {
        return position.createdAt() + "_" + position.id();
    }

    private static CommandAdmin.Position position(String text) {
        if (text.isEmpty()) {
            return CommandAdmin.Position.START;
        }
        String[] parts = text.split("_", 2);
        if (parts.length < 2) {
            throw ApiError.invalid("before (" + text + ") is not what 'next' of a page says.");
        }
        return new CommandAdmin.Position(ApiCall.instant("before", parts[0]), ApiCall.uuid(parts[1]));
    }

    private static CommandDetail show(ApiCall call) {
        UUID id = call.id();
        CommandAdmin.Stored stored = call.database()
                .store()
                .commandAdmin()
                .find(id)
                .orElseThrow(() -> ApiError.notFound(
                        "There is no command " + id + ". It may have been removed after its retention."));
        PayloadMask masking = call.masking("command " + id);
        return new CommandDetail(CommandView.of(stored), masking.text(stored.payload()), masking.text(stored.reply()));
    }
}
