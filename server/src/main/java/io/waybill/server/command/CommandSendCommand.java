package io.waybill.server.command;

import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.submission.CommandSubmission;
import io.waybill.server.change.SubmittedRequest;
import io.waybill.server.cli.Listing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "send",
        description = {
            "Send a command to the application that handles its type.",
            "",
            "Its handler runs once for each idempotency key, however often you send it."
        },
        mixinStandardHelpOptions = true)
final class CommandSendCommand implements Callable<Integer> {

    @Mixin
    private SubmittedRequest submitted = new SubmittedRequest();

    @Parameters(paramLabel = "TYPE", description = "The type: the name of the class without 'Command' at the end.")
    @SuppressWarnings("NullAway.Init")
    private String type;

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            required = true,
            description = "What stays the same when you send it again: the handler runs once for it.")
    @SuppressWarnings("NullAway.Init")
    private String idempotencyKey;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            defaultValue = "",
            description = "Business key: commands of one queue and key run in order.")
    private String key = "";

    @Option(names = "--payload", paramLabel = "JSON", defaultValue = "{}", description = "The command as JSON ({}).")
    private String payload = "{}";

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "Set a header; may be given several times.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The queue of the type, where it is not the one that a live application serves.")
    private String queue = "";

    @Override
    public Integer call() {
        submitted.reason();
        var request = new CommandSubmission.Request(type, idempotencyKey, key, payload, headers, queue);
        return submitted.run(
                "send a " + type + " with the idempotency key " + idempotencyKey,
                store -> send(store, request),
                result -> "command " + result.commandId() + " accepted",
                this::report);
    }

    private static CommandSubmission.Result send(JdbcStore store, CommandSubmission.Request request) {
        var submission = new CommandSubmission(
                store.commandStore(), store.outbox(), store.transactions(), PayloadCodec.found(), store::served);
        CommandSubmission.Result result = submission.accept(request);
        store.wakeRelays();
        return result;
    }

    private int report(CommandSubmission.Result result) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("command", result.commandId());
        members.put("queue", result.queue());
        members.put("warning", result.warning().isEmpty() ? null : result.warning());
        if (submitted.output().isJson()) {
            submitted.out().println(Listing.object(members));
            return 0;
        }
        submitted
                .out()
                .println("Command " + result.commandId() + " accepted for " + result.queue()
                        + ". See its reply with: waybill command show " + result.commandId());
        if (!result.warning().isEmpty()) {
            submitted.out().println(result.warning());
        }
        return 0;
    }
}
