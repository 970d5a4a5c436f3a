package io.waybill.server.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = {
            "Prints what a shell needs to complete commands and options.",
            "",
            "For bash and zsh, in this shell: source <(waybill completion)",
            "For every new one, write it to a file and source that from ~/.bashrc or ~/.zshrc."
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
