package io.waybill.server.process;

import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.OutputOptions;
import io.waybill.server.database.DatabaseOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "list", description = "List processes, least recently changed first.", mixinStandardHelpOptions = true)
final class ProcessListCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--type", paramLabel = "TYPE", description = "Only processes of this type.")
    private @Nullable String type;

    @Option(names = "--key", paramLabel = "KEY", description = "Only processes with this business key.")
    private @Nullable String key;

    @Option(names = "--step", paramLabel = "STEP", description = "Only processes that execute or compensate this step.")
    private @Nullable String step;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            split = ",",
            description = "Only processes in one of these: ${COMPLETION-CANDIDATES}.")
    private List<ProcessStatus> statuses = List.of();

    @Option(
            names = "--untouched",
            paramLabel = "MINUTES",
            description = "Only processes unchanged for so many minutes.")
    private long untouched;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit = 50;

    @Override
    public Integer call() {
        List<ProcessInstance> found =
                database.use(store -> store.processStore(PayloadCodec.found()).search(query()));
        if (found.isEmpty() && !output.isJson()) {
            spec.commandLine().getOut().println("No processes.");
            return 0;
        }
        var answer = new Listing("id", "type", "key", "status", "step", "retries", "updated");
        found.forEach(process -> answer.add(
                process.processId(),
                process.processType(),
                process.businessKey(),
                process.status(),
                process.currentStep(),
                process.retries(),
                process.updatedAt()));
        output.print(answer, spec.commandLine().getOut());
        return 0;
    }

    private ProcessQuery query() {
        ProcessQuery query = ProcessQuery.ANY.atMost(limit).in(statuses.toArray(ProcessStatus[]::new));
        query = type == null ? query : query.ofType(type);
        query = key == null ? query : query.about(key);
        query = step == null ? query : query.at(step);
        return untouched == 0
                ? query
                : query.untouchedSince(Clock.systemUTC().instant().minus(Duration.ofMinutes(untouched)));
    }
}
