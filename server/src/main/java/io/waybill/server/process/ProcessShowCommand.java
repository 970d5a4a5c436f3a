package io.waybill.server.process;

import io.waybill.message.PayloadCodec;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.store.ProcessStore;
import io.waybill.process.view.Explanation;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.OutputOptions;
import io.waybill.server.database.DatabaseOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "show", description = "Show a process and its log.", mixinStandardHelpOptions = true)
final class ProcessShowCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "ID", description = ProcessFinder.DESCRIPTION)
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Override
    public Integer call() {
        var shown = database.use(store -> read(store.processStore(PayloadCodec.found())));
        if (!output.isJson()) {
            print(shown, spec.commandLine().getOut());
            return 0;
        }
        var log = new Listing("number", "at", "event", "step", "what");
        shown.log.forEach(event -> log.add(
                event.number(),
                event.at(),
                event.event().getClass().getSimpleName(),
                event.event().step(),
                event.event().text()));
        output.print(log, spec.commandLine().getOut());
        return 0;
    }

    private static void print(Shown shown, PrintWriter out) {
        ProcessState state = shown.state;
        out.println("process    " + state.processId());
        out.println("type       " + state.processType() + ", version " + state.version());
        out.println("key        " + state.businessKey());
        out.println("data       "
                + PayloadCodec.found().encode(state.header().instance().data()).asText());
        out.println("state      " + Explanation.ofStored(state, shown.events()).text());
        out.println("log");
        shown.log.forEach(
                event -> out.println("  " + event.at() + "  " + event.event().text() + "."));
        out.flush();
    }

    private Shown read(ProcessStore processes) {
        UUID process = ProcessFinder.find(processes, id);
        ProcessState state = processes.read(process).orElseThrow(() -> ProcessFinder.gone(process));
        return new Shown(state, processes.history(process));
    }

    private record Shown(ProcessState state, List<LoggedEvent> log) {

        List<ProcessEvent> events() {
            return log.stream().map(LoggedEvent::event).toList();
        }
    }
}
