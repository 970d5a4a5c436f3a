package io.waybill.server;

import io.waybill.ops.FailedMessages;
import io.waybill.store.FailedSelection;
import java.util.function.LongConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every change of failed messages has in common: something must be selected, and there must be a reason. */
final class FailedChangeOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(names = "--all", description = "Every failed message; without it something must be selected.")
    private boolean all;

    /** The work, which is given the operations, the selection, the reason and whom to tell. */
    interface Work {
        long run(FailedMessages operations, FailedSelection selection, String reason, LongConsumer progress);
    }

    int run(String verb, String done, Work work) {
        change.requireReason();
        FailedSelection selection = selected.selection();
        if (!all && selection.equals(FailedSelection.all())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Nothing is selected. Say which messages, as in --group or --id, or --all for every one.");
        }
        var words = new ChangeOptions.Change(verb, "failed messages", done, database.shown());
        return database.use(store -> {
            FailedMessages operations = store.failedMessages();
            return change.run(
                    store,
                    words,
                    () -> operations.count(selection),
                    steps -> work.run(operations, selection, change.reason(), steps),
                    change.counted(words));
        });
    }
}
