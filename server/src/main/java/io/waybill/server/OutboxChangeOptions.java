package io.waybill.server;

import io.waybill.ops.OutboxOperations;
import io.waybill.store.OutboxStatus;
import io.waybill.store.Selection;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every change of messages in the outbox has in common: something must be selected, and there must be a reason. */
final class OutboxChangeOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutboxSelectionOptions selected = new OutboxSelectionOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(names = "--all", description = "Every message that can be; without it something must be selected.")
    private boolean all;

    /** The work, which is given the operations, the selection, the reason and whom to tell. */
    interface Work {
        long run(OutboxOperations operations, Selection selection, String reason, LongConsumer progress);
    }

    int run(String verb, String done, Predicate<OutboxStatus> allowed, Work work) {
        change.requireReason();
        if (!all && selected.isEmpty() && !selected.hasStatuses()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Nothing is selected. Say which messages, as in --id or --destination, or --all for every one.");
        }
        Selection selection = selected.among(allowed);
        var words = new ChangeOptions.Change(verb, "messages", done, database.shown());
        return database.use(store -> {
            var operations = new OutboxOperations(store.admin());
            return change.run(
                    store,
                    words,
                    () -> operations.count(selection),
                    steps -> work.run(operations, selection, change.reason(), steps),
                    change.counted(words));
        });
    }
}
