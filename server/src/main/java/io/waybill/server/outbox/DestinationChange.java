package io.waybill.server.outbox;

import io.waybill.ops.OutboxOperations;
import io.waybill.server.change.OutboxTableOptions;
import io.waybill.server.cli.ChangeOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.Operator;
import io.waybill.server.database.DatabaseOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What pausing and resuming a destination have in common: one destination and a reason. */
final class DestinationChange {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutboxTableOptions table = new OutboxTableOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Parameters(paramLabel = "DESTINATION", description = "Its name, as 'waybill outbox stats' shows it.")
    private String destination = "";

    /** The change, which is given the destination and the reason. */
    interface Work {
        void run(OutboxOperations operations, String destination, String reason);
    }

    /**
     * @param verb such as {@code Pause}
     * @param done such as {@code paused}
     * @param consequence what happens next, in a sentence
     */
    int run(String verb, String done, String consequence, Work work) {
        change.requireReason();
        return table.use(database, outbox -> {
            if (change.isDryRun()) {
                report(done, true, "");
                return 0;
            }
            if (!change.isWanted(verb + " " + destination, database.shown())) {
                return 1;
            }
            Operator.change(outbox.store(), spec, database.shown(), change.reason(), () -> {
                work.run(outbox.operations(), destination, change.reason());
                return destination + " " + done;
            });
            report(done, false, consequence);
            return 0;
        });
    }

    private void report(String done, boolean dryRun, String consequence) {
        if (change.output().isJson()) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put("destination", destination);
            String member = done.substring(0, 1).toUpperCase(Locale.ROOT) + done.substring(1);
            members.put(dryRun ? "wouldBe" + member : done, true);
            spec.commandLine().getOut().println(Listing.object(members));
        } else {
            spec.commandLine()
                    .getOut()
                    .println(destination + (dryRun ? " would be " : " is ") + done + "."
                            + (consequence.isEmpty() ? "" : " " + consequence));
        }
    }
}
