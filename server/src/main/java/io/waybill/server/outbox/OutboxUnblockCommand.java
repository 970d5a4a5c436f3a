package io.waybill.server.outbox;

import io.waybill.server.change.OutboxTableOptions;
import io.waybill.server.cli.Operator;
import io.waybill.server.database.DatabaseOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "unblock",
        description = {
            "Let a key move on that waits, is parked or blocked.",
            "",
            "The message that it waits for is published again at once, and those held behind it follow."
        },
        mixinStandardHelpOptions = true)
final class OutboxUnblockCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutboxTableOptions table = new OutboxTableOptions();

    @Parameters(index = "0", paramLabel = "DESTINATION", description = "The destination of the key.")
    @SuppressWarnings("NullAway.Init")
    private String destination;

    @Parameters(index = "1", paramLabel = "KEY", description = "The partition key.")
    @SuppressWarnings("NullAway.Init")
    private String key;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "The reason; it is logged.")
    @SuppressWarnings("NullAway.Init")
    private String reason;

    @Override
    public Integer call() {
        boolean moved = table.use(database, outbox -> {
            var found = new boolean[1];
            Operator.change(outbox.store(), spec, database.shown(), reason, () -> {
                found[0] = outbox.operations().unblock(destination, key);
                return found[0] ? "The key moves on" : "Nothing stops the key";
            });
            return found[0];
        });
        spec.commandLine()
                .getOut()
                .println(
                        moved
                                ? "The key moves on."
                                : "Nothing stops the key '" + key + "' to " + destination
                                        + ". 'waybill waiting' lists keys" + " that wait.");
        return 0;
    }
}
