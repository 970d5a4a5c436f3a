package io.waybill.server;

import io.waybill.WaybillException;
import io.waybill.server.cli.CompletionCommand;
import io.waybill.server.cli.UsageErrors;
import io.waybill.server.command.CommandCommand;
import io.waybill.server.command.OperationCommand;
import io.waybill.server.console.ConsoleCommand;
import io.waybill.server.database.ContextCommand;
import io.waybill.server.demo.BenchCommand;
import io.waybill.server.demo.DemoCommand;
import io.waybill.server.doctor.DoctorCommand;
import io.waybill.server.doctor.WaitingCommand;
import io.waybill.server.failed.FailedCommand;
import io.waybill.server.inbox.InboxCommand;
import io.waybill.server.outbox.OutboxCommand;
import io.waybill.server.output.PlainText;
import io.waybill.server.output.SafeWriter;
import io.waybill.server.process.ProcessCommand;
import io.waybill.server.relay.RelayCommand;
import io.waybill.server.schema.SchemaCommand;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code waybill}: the entry of the command line. */
@Command(
        name = "waybill",
        description = "Operate a transactional outbox: its relays, messages, commands and processes.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            SchemaCommand.class,
            RelayCommand.class,
            OutboxCommand.class,
            InboxCommand.class,
            FailedCommand.class,
            CommandCommand.class,
            ProcessCommand.class,
            OperationCommand.class,
            ConsoleCommand.class,
            ContextCommand.class,
            DoctorCommand.class,
            WaitingCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed",
            "2:invalid command line",
            "3:partly failed",
            "4:unhealthy, or not done yet"
        })
public final class Main implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    public static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                // A key or an error may begin with @: it is no file of further arguments.
                .setExpandAtFiles(false)
                .registerConverter(UUID.class, Main::id)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionStrategy(Main::run)
                .setExecutionExceptionHandler((error, command, parsed) -> {
                    String message = error instanceof WaybillException ? error.getMessage() : error.toString();
                    command.getErr().println(PlainText.shown("waybill: " + message));
                    return 1;
                });
    }

    /** Whatever a command prints is made safe, help excepted, which has colours. */
    private static int run(ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        CommandLine command = parsed.commandSpec().commandLine();
        command.setOut(SafeWriter.around(command.getOut(), PlainText::escaped));
        command.setErr(SafeWriter.around(command.getErr(), PlainText::shown));
        try {
            return new CommandLine.RunLast().execute(parsed);
        } finally {
            command.getOut().flush();
            command.getErr().flush();
        }
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not an id. Ids look like 018f0000-0000-7000-8000-000000000000.");
        }
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"waybill " + (version == null ? "(not packaged)" : version)};
        }
    }
}
