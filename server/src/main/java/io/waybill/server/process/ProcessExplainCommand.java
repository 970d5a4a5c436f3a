package io.waybill.server.process;

import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessState;
import io.waybill.process.store.ProcessStore;
import io.waybill.process.view.Explanation;
import io.waybill.server.database.DatabaseOptions;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "explain",
        description = "Explain what a process waits for, since when, and what happens next.",
        mixinStandardHelpOptions = true)
final class ProcessExplainCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Parameters(paramLabel = "ID", description = ProcessFinder.DESCRIPTION)
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Override
    public Integer call() {
        String explanation = database.use(store -> explain(store.processStore(PayloadCodec.found())));
        spec.commandLine().getOut().println(explanation);
        return 0;
    }

    private String explain(ProcessStore processes) {
        UUID process = ProcessFinder.find(processes, id);
        ProcessState state = processes.read(process).orElseThrow(() -> ProcessFinder.gone(process));
        return Explanation.ofStored(state, processes.findByProcessId(process)).text();
    }
}
