package io.waybill.server.failed;

import io.waybill.ops.FailedMessages;
import io.waybill.server.change.SelectedChange;
import io.waybill.store.failed.FailedSelection;
import java.util.function.LongConsumer;
import picocli.CommandLine.Mixin;

/** What every change of failed messages has in common. */
final class FailedChangeOptions {

    @Mixin
    private FailedTableOptions table = new FailedTableOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Mixin
    private SelectedChange change = new SelectedChange();

    /** The work, which is given the operations, the selection, the reason and whom to tell. */
    interface Work {
        long run(FailedMessages operations, FailedSelection selection, String reason, LongConsumer progress);
    }

    int run(String verb, String done, Work work) {
        FailedSelection selection = selected.selection();
        change.require(!selection.equals(FailedSelection.all()), "--group or --id");
        return change.run(
                verb,
                "failed messages",
                done,
                store -> table.of(store).count(selection),
                (store, reason, steps) -> work.run(table.of(store), selection, reason, steps));
    }
}
