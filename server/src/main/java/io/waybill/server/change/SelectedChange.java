package io.waybill.server.change;

import io.waybill.jdbc.JdbcStore;
import io.waybill.server.change.OutboxTableOptions.Opened;
import io.waybill.server.cli.ChangeOptions;
import io.waybill.server.database.DatabaseOptions;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every change of selected messages has in common: something must be selected, and there must be a reason. */
public final class SelectedChange {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(names = "--all", description = "Select all messages. Without it you must select some.")
    private boolean all;

    /** The work, which is given the store, the reason and whom to tell. */
    public interface Work {
        long run(JdbcStore store, String reason, LongConsumer progress);
    }

    /** The same work on an outbox. */
    public interface OutboxWork {
        long run(Opened outbox, String reason, LongConsumer progress);
    }

    /** To be called first: what is missing is said before anything else. */
    public void require(boolean somethingIsSelected, String example) {
        change.requireReason();
        if (!all && !somethingIsSelected) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Nothing is selected. Say which messages, as in " + example + ", or --all for every one.");
        }
    }

    public int run(String verb, String things, String done, ToLongFunction<JdbcStore> count, Work work) {
        var words = new ChangeOptions.Change(verb, things, done, database.shown());
        return database.use(store -> change.run(
                store,
                words,
                () -> count.applyAsLong(store),
                steps -> work.run(store, change.reason(), steps),
                change.counted(words)));
    }

    /** The same for the outbox that the selection names. */
    public int run(
            String verb,
            String things,
            String done,
            OutboxSelectionOptions selected,
            ToLongFunction<Opened> count,
            OutboxWork work) {
        var words = new ChangeOptions.Change(verb, things, done, database.shown());
        return selected.use(
                database,
                outbox -> change.run(
                        outbox.store(),
                        words,
                        () -> count.applyAsLong(outbox),
                        steps -> work.run(outbox, change.reason(), steps),
                        change.counted(words)));
    }
}
