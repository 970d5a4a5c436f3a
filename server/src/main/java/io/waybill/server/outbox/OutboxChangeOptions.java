package io.waybill.server.outbox;

import io.waybill.ops.OutboxOperations;
import io.waybill.server.change.OutboxSelectionOptions;
import io.waybill.server.change.SelectedChange;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;

/** What every change of messages in the outbox has in common. */
final class OutboxChangeOptions {

    @Mixin
    private OutboxSelectionOptions selected = new OutboxSelectionOptions();

    @Mixin
    private SelectedChange change = new SelectedChange();

    /** The work, which is given the operations, the selection, the reason and whom to tell. */
    interface Work {
        long run(OutboxOperations operations, Selection selection, String reason, LongConsumer progress);
    }

    int run(String verb, String done, Predicate<OutboxStatus> allowed, Work work) {
        change.require(selected.isGiven(), "--id or --destination");
        selected.among(allowed, text -> new UUID(0, 0));
        return change.run(
                verb,
                "messages",
                done,
                selected,
                outbox -> outbox.operations().count(selected.among(allowed, outbox::id)),
                (outbox, reason, steps) ->
                        work.run(outbox.operations(), selected.among(allowed, outbox::id), reason, steps));
    }
}
