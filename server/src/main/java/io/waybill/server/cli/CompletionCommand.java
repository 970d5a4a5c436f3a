package io.waybill.server.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = {
            "Print a completion script for bash and zsh.",
            "",
            "In the current shell: source <(waybill completion)",
            "For new shells, write it to a file and source the file from ~/.bashrc or ~/.zshrc."
        },
        mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine()
                .getOut()
                .print(AutoComplete.bash("waybill", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
