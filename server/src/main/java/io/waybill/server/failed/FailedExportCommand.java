package io.waybill.server.failed;

import io.waybill.ops.FailedEntry;
import io.waybill.server.cli.MessageJson;
import io.waybill.server.database.DatabaseOptions;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "export",
        description = "Write failed messages to standard output, one JSON object per line.",
        mixinStandardHelpOptions = true)
final class FailedExportCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private FailedTableOptions table = new FailedTableOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Override
    public Integer call() {
        var selection = selected.selection();
        PrintWriter out = spec.commandLine().getOut();
        database.use(store ->
                table.of(store).export(selection, message -> out.println(MessageJson.of(FailedEntry.of(message)))));
        out.flush();
        return 0;
    }
}
