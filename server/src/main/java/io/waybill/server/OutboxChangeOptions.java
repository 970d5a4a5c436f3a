package io.waybill.server;

import io.waybill.jdbc.JdbcStore;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.OutboxStatus;
import io.waybill.store.Selection;
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
        change.require(!selected.any().equals(Selection.all()), "--id or --destination");
        Selection selection = selected.among(allowed);
        return change.run(
                verb,
                "messages",
                done,
                store -> operations(store).count(selection),
                (store, reason, steps) -> work.run(operations(store), selection, reason, steps));
    }

    private static OutboxOperations operations(JdbcStore store) {
        return new OutboxOperations(store.admin());
    }
}
