package io.waybill.server.process;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.store.ProcessStore;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.OutputOptions;
import io.waybill.server.database.DatabaseOptions;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "show",
        description = "A process and everything that has happened to it.",
        mixinStandardHelpOptions = true)
final class ProcessShowCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "ID", description = "The id that 'waybill process list' shows.")
    @SuppressWarnings("NullAway.Init")
    private UUID id;

    @Override
    public Integer call() {
        var shown = database.use(store -> read(store.processStore(PayloadCodec.found())));
        var log = new Listing("number", "at", "event", "what");
        shown.log.forEach(event -> log.add(
                event.number(),
                event.at(),
                event.event().getClass().getSimpleName(),
                event.event().toString()));
        if (!output.isJson()) {
            ProcessInstance process = shown.process;
            spec.commandLine()
                    .getOut()
                    .println(process.processType() + " " + process.businessKey() + " is " + process.status() + " at "
                            + process.currentStep() + ", data " + process.data());
        }
        output.print(log, spec.commandLine().getOut());
        return 0;
    }

    private Shown read(ProcessStore processes) {
        ProcessInstance process = processes
                .findById(id)
                .orElseThrow(() -> new WaybillException("There is no process " + id
                        + ". Look for it with 'waybill process list', or it has been removed after it was finished."));
        return new Shown(process, processes.history(id));
    }

    private record Shown(ProcessInstance process, List<LoggedEvent> log) {}
}
