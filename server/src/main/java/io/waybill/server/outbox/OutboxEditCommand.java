package io.waybill.server.outbox;

import io.waybill.ops.Edit;
import io.waybill.server.change.OutboxTableOptions;
import io.waybill.server.cli.Operator;
import io.waybill.server.cli.PayloadOptions;
import io.waybill.server.database.DatabaseOptions;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "edit",
        description = {
            "Publish one refused message again, with another payload or to another destination.",
            "",
            "It is checked as when it was appended. Messages held behind it follow to their own destination;"
                    + " 'waybill outbox redirect' takes them along."
        },
        mixinStandardHelpOptions = true)
final class OutboxEditCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutboxTableOptions table = new OutboxTableOptions();

    @Parameters(paramLabel = "ID", description = "The id that 'waybill outbox list' shows.")
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Mixin
    private PayloadOptions edited = new PayloadOptions();

    @Option(names = "--destination", paramLabel = "NAME", defaultValue = "", description = "The new destination.")
    private String destination = "";

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "The reason; it is logged.")
    @SuppressWarnings("NullAway.Init")
    private String reason;

    @Override
    public Integer call() {
        Edit withPayload = edited.payload().map(Edit.NONE::payload).orElse(Edit.NONE);
        Edit edit = destination.isEmpty() ? withPayload : withPayload.destination(destination);
        if (edit.equals(Edit.NONE)) {
            throw new ParameterException(
                    spec.commandLine(), "Nothing is changed. Give --payload, --payload-file or --destination.");
        }
        table.use(database, outbox -> {
            UUID message = outbox.id(table.checked(id));
            Operator.change(outbox.store(), spec, database.shown(), reason, () -> {
                outbox.operations().replay(message, edit);
                return "Message " + message + " edited and replayed";
            });
            return message;
        });
        spec.commandLine().getOut().println("Changed, and to be published again.");
        return 0;
    }
}
