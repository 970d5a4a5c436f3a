package io.waybill.server.process;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessState;
import io.waybill.process.store.ProcessStore;
import io.waybill.process.view.ProcessPage;
import io.waybill.process.view.ProcessSvg;
import io.waybill.server.database.DatabaseOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "graph",
        description = {
            "Draw the steps that a process has started, and their status: as Mermaid text, or with --svg or"
                    + " --html as a drawing that needs no network.",
            "",
            "Later steps are not drawn, because only the application has the definition. There graph.toMermaid()"
                    + " draws all of it."
        },
        mixinStandardHelpOptions = true)
final class ProcessGraphCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Parameters(paramLabel = "ID", description = ProcessFinder.DESCRIPTION)
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write the drawing to this file, as SVG.")
    private @Nullable Path svg;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a page to this file: what the process waits for, the drawing, and the log.")
    private @Nullable Path html;

    @Override
    public Integer call() {
        return database.use(store -> draw(store.processStore(PayloadCodec.found())));
    }

    private int draw(ProcessStore processes) {
        UUID process = ProcessFinder.find(processes, id);
        ProcessState state = processes.read(process).orElseThrow(() -> ProcessFinder.gone(process));
        PrintWriter out = spec.commandLine().getOut();
        if (svg == null && html == null) {
            out.print(state.toMermaid());
        }
        if (svg != null) {
            write(svg, ProcessSvg.of(state), out);
        }
        if (html != null) {
            write(html, ProcessPage.of(state, processes.history(process)), out);
        }
        out.flush();
        return 0;
    }

    private static void write(Path file, String content, PrintWriter out) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new WaybillException("Could not write " + file + ": " + e, e);
        }
        out.println("Drawn to " + file + ".");
    }
}
