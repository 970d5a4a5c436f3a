package io.waybill.server.failed;

import io.waybill.message.Payload;
import io.waybill.server.cli.Operator;
import io.waybill.server.cli.PayloadOptions;
import io.waybill.server.database.DatabaseOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
        description = {"Edit a failed message.", "", "It stays failed until you retry it."},
        mixinStandardHelpOptions = true)
final class FailedEditCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private FailedTableOptions table = new FailedTableOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Parameters(paramLabel = "ID", description = "The id that 'waybill failed list' shows.")
    private long id;

    @Mixin
    private PayloadOptions edited = new PayloadOptions();

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "Set a header, or remove it with an empty value; may be given several times.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "The reason; it is logged.")
    @SuppressWarnings("NullAway.Init")
    private String reason;

    @Override
    public Integer call() {
        Optional<Payload> changed = edited.payload();
        if (changed.isEmpty() && headers.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "Nothing is changed. Give --payload, --payload-file or --header.");
        }
        database.use(store -> {
            Operator.change(store, spec, database.shown(), reason, () -> {
                table.of(store).edit(id, changed, headers, reason);
                return "Failed message " + id + " edited";
            });
            return id;
        });
        spec.commandLine()
                .getOut()
                .println("Changed. Try it again with: waybill failed retry --id " + id + " --reason ...");
        return 0;
    }
}
