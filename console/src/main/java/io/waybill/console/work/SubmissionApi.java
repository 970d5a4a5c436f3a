package io.waybill.console.work;

import static io.waybill.console.api.ApiRoute.post;

import io.waybill.WaybillException;
import io.waybill.command.BusinessKey;
import io.waybill.command.IdempotencyKey;
import io.waybill.console.api.Action;
import io.waybill.console.api.ApiCall;
import io.waybill.console.api.ApiError;
import io.waybill.console.api.ApiRoute;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.submission.CommandSubmission;
import io.waybill.ops.submission.ProcessSubmission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Commands and processes that an operator starts. */
public final class SubmissionApi {

    private static final String DATABASE = "/api/databases/{database}";
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private SubmissionApi() {}

    public static List<ApiRoute> routes() {
        return List.of(
                post(
                        DATABASE + "/commands",
                        "Send a command to the application that handles its type",
                        CommandRequest.class,
                        CommandAccepted.class,
                        SubmissionApi::send),
                post(
                        DATABASE + "/processes",
                        "Start a process in an instance of the application that has its definition",
                        ProcessRequested.class,
                        ProcessStart.class,
                        SubmissionApi::start));
    }

    /**
     * A command.
     *
     * @param payload JSON as a text, so that no number changes on the way
     * @param queue where it goes, unless a live application serves one queue for the type
     */
    record CommandRequest(
            @Nullable String type,
            @Nullable String idempotencyKey,
            @Nullable String businessKey,
            @Nullable String payload,
            @Nullable Map<String, String> headers,
            @Nullable String queue,
            @Nullable String reason) {}

    /** @param warning why nobody handles the command as things are; empty when an application does */
    record CommandAccepted(String id, String what, String queue, String warning, String command) {}

    /** @param version of the definition; without it, the latest that the instance has */
    record ProcessRequested(
            @Nullable String type,
            @Nullable String businessKey,
            @Nullable Map<String, Object> data,
            @Nullable Long version,
            @Nullable String reason) {}

    /** @param outcome {@code done}, {@code refused} or {@code not taken yet} */
    record ProcessStart(String process, String what, String outcome, String says, String command) {}

    private static CommandAccepted send(ApiCall call) {
        CommandRequest asked = call.body(CommandRequest.class);
        String payload = text(asked.payload()).isBlank() ? "{}" : text(asked.payload());
        CommandSubmission.Request request = valid(() -> {
            new IdempotencyKey(text(asked.idempotencyKey()));
            new BusinessKey(text(asked.businessKey()));
            Payload.json(payload);
            return new CommandSubmission.Request(
                    text(asked.type()),
                    text(asked.idempotencyKey()),
                    text(asked.businessKey()),
                    payload,
                    Optional.ofNullable(asked.headers()).orElse(Map.of()),
                    text(asked.queue()));
        });
        String command = Action.command(
                "command send",
                "--idempotency-key",
                request.idempotencyKey(),
                "--key",
                request.businessKey(),
                "--queue",
                request.queue());
        String line = command + " " + Action.quoted(request.type());
        JdbcStore store = call.database().store();
        var submission = new CommandSubmission(
                store.commandStore(), store.outbox(), store.transactions(), PayloadCodec.found(), store::served);
        var result = new CommandSubmission.Result[1];
        Action.now(call, line, text(asked.reason()), () -> {
            result[0] = submission.accept(request);
            call.database().store().wakeRelays();
            return "command " + result[0].commandId() + " accepted";
        });
        String what = "Command accepted for " + result[0].queue();
        return new CommandAccepted(
                result[0].commandId().toString(), what, result[0].queue(), result[0].warning(), line);
    }

    private static ProcessStart start(ApiCall call) {
        ProcessRequested asked = call.body(ProcessRequested.class);
        String reason = Action.reason(text(asked.reason()));
        long version = asked.version() == null ? 0 : asked.version();
        ProcessSubmission.Request request = valid(() -> new ProcessSubmission.Request(
                text(asked.type()),
                (int) Math.max(-1, Math.min(Integer.MAX_VALUE, version)),
                text(asked.businessKey()),
                Optional.ofNullable(asked.data()).orElse(Map.of()),
                call.identity().name(),
                reason));
        String line = Action.command(
                        "process start",
                        "--key",
                        request.businessKey(),
                        "--definition-version",
                        version == 0 ? "" : String.valueOf(version))
                + " " + Action.quoted(request.type());
        JdbcStore store = call.database().store();
        var submission = new ProcessSubmission(
                call.database().processes(),
                store.admin(),
                store.outbox(),
                store.transactions(),
                PayloadCodec.found(),
                store::served);
        var result = new ProcessSubmission.Result[1];
        Action.now(call, line, reason, () -> {
            ProcessSubmission.Submitted submitted = submission.ask(request);
            call.database().store().wakeRelays();
            result[0] = submission.await(submitted, PATIENCE);
            return result[0].process() + ": " + result[0].outcome().word();
        });
        return new ProcessStart(
                result[0].process().toString(),
                "start " + request.type() + " " + request.businessKey(),
                result[0].outcome().word(),
                result[0].says(),
                line);
    }

    /** What was asked for in a wrong way is a bad request, and nothing that the database was in the way of. */
    private static <T> T valid(Supplier<T> work) {
        try {
            return work.get();
        } catch (WaybillException e) {
            throw ApiError.invalid(String.valueOf(e.getMessage()));
        }
    }

    static String text(@Nullable String value) {
        return Optional.ofNullable(value).orElse("");
    }
}
