package io.waybill.server.process;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.ops.BulkProcessRequests;
import io.waybill.jdbc.ops.ProcessAdmin.Query;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.ProcessOperations;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.ProcessStatus;
import io.waybill.server.cli.ChangeOptions;
import io.waybill.server.cli.Operator;
import io.waybill.server.database.DatabaseOptions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** All processes that match, instead of some by their ids. */
final class ProcessSelection {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            split = ",",
            description = "All processes in one of these: ${COMPLETION-CANDIDATES}.")
    private List<ProcessStatus> statuses = List.of();

    @Option(names = "--type", paramLabel = "TYPE", defaultValue = "", description = "All processes of this type.")
    private String type = "";

    @Option(
            names = "--all",
            description =
                    "All processes to which it applies. They are asked, and not waited for: their logs say the outcome.")
    private boolean all;

    boolean isEmpty() {
        return !all && statuses.isEmpty() && type.isEmpty();
    }

    /** Asks the instances of the application for each of them, and does not wait for what becomes of it. */
    int run(DatabaseOptions database, ChangeOptions change, Verb verb, String step) {
        var query = new Query(Set.copyOf(statuses), type, "");
        var words = new ChangeOptions.Change(
                capitalized(verb), "processes", "asked to " + verb.name().toLowerCase(Locale.ROOT), database.shown());
        return database.use(store -> {
            var requests = new BulkProcessRequests(store.processAdmin(), operations(store));
            return change.run(
                    store,
                    words,
                    () -> requests.count(query, verb),
                    progress -> {
                        var asked = requests.ask(query, verb, step, Operator.name(), change.reason(), progress);
                        store.wakeRelays();
                        if (asked.refused() > 0) {
                            spec.commandLine()
                                    .getErr()
                                    .println(asked.refused() + " processes were left alone: no step of theirs fits.");
                        }
                        return asked.asked();
                    },
                    change.counted(words));
        });
    }

    private static ProcessOperations operations(JdbcStore store) {
        PayloadCodec codec = PayloadCodec.found();
        return new ProcessOperations(store.processStore(codec), store.outbox(), store.transactions(), codec);
    }

    private static String capitalized(Verb verb) {
        return verb.name().charAt(0)
                + verb.name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
