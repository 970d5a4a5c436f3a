package io.waybill.server;

import io.waybill.WaybillException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code waybill}: the entry of the command line. */
@Command(
        name = "waybill",
        description = "Reliable messaging on the database an application already has.",
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
            HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:it failed",
            "2:the command line is wrong",
            "3:a part of it failed",
            "4:something is not healthy"
        })
public final class Main implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((error, command, parsed) -> {
                    String message = error instanceof WaybillException ? error.getMessage() : error.toString();
                    command.getErr().println(command.getColorScheme().errorText("waybill: " + message));
                    return 1;
                });
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
