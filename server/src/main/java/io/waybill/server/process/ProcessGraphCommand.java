package io.waybill.server.process;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import io.waybill.server.database.DatabaseOptions;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "graph",
        description = {
            "Draws what a process has begun and how far each step is, for Mermaid.",
            "",
            "What comes next is not drawn: only the application has the definition. There graph.toMermaid() draws all of it."
        },
        mixinStandardHelpOptions = true)
final class ProcessGraphCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Parameters(paramLabel = "ID", description = "The id that 'waybill process list' shows.")
    @SuppressWarnings("NullAway.Init")
    private UUID id;

    @Override
    public Integer call() {
        String picture = database.use(store -> store.processStore(PayloadCodec.found())
                .read(id)
                .orElseThrow(() -> new WaybillException("There is no process " + id + "."))
                .toMermaid());
        spec.commandLine().getOut().print(picture);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
