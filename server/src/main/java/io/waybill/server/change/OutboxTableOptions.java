package io.waybill.server.change;

import io.waybill.Time;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.ops.OutboxOperations;
import io.waybill.server.cli.Operator;
import io.waybill.server.cli.SingleMatch;
import io.waybill.server.config.TableOptions;
import io.waybill.server.database.DatabaseOptions;
import io.waybill.store.IdRange;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The outbox that a command looks at or changes: Waybill's own, or a table that it has adopted. */
public final class OutboxTableOptions {

    private static final String UUID_TEXT = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private TableOptions table = new TableOptions();

    /**
     * What an operator can do with the outbox.
     *
     * @param store the rest of the database
     * @param adopted the table, where it is not Waybill's own
     */
    public record Opened(OutboxOperations operations, JdbcStore store, Optional<AdoptedTable> adopted) {

        /** The message that somebody means: by its id, or by that of its row in an adopted table. */
        public UUID id(String text) {
            return adopted.map(table -> table.messageOf(text)).orElseGet(() -> UUID.fromString(text));
        }

        /** The same by a partition key, or by the beginning of an id, where only one message fits. */
        public UUID idOrKey(String text) {
            if (adopted.isPresent() || text.matches(UUID_TEXT)) {
                return id(text);
            }
            List<StoredMessage> found = operations.list(Selection.all().inOrderOf(text), 0, SingleMatch.MAX_CANDIDATES);
            if (found.isEmpty()) {
                found = IdRange.ofPrefix(text)
                        .map(range -> operations.list(Selection.all().in(range), 0, SingleMatch.MAX_CANDIDATES))
                        .orElse(List.of());
            }
            return SingleMatch.of("message", text, found, Opened::label, "waybill outbox list")
                    .envelope()
                    .id();
        }

        private static String label(StoredMessage message) {
            return message.envelope().id() + "  " + message.status() + " to "
                    + message.envelope().destination() + " "
                    + message.envelope().type();
        }
    }

    /** Runs the work on the outbox of the database. */
    public <T> T use(DatabaseOptions database, Function<Opened, T> work) {
        Optional<Layout> layout = table.choice("").layout();
        return database.use(
                (pool, options) -> {
                    JdbcStore store = JdbcStore.on(pool, options, Time.system());
                    if (layout.isEmpty()) {
                        return work.apply(new Opened(
                                new OutboxOperations(store.admin()).by(Operator.name()), store, Optional.empty()));
                    }
                    try (AdoptedTable opened =
                            AdoptedTable.open(pool, layout.get(), AdoptedTable.Setup.NOTHING, Time.system())) {
                        return work.apply(new Opened(
                                new OutboxOperations(opened.admin()).by(Operator.name()), store, Optional.of(opened)));
                    }
                },
                database.storeOptions().retention());
    }

    public boolean isAdopted() {
        return table.choice("").isAdopted();
    }

    /** Rows of adopted tables have ids of all kinds, messages of Waybill's own a UUID. */
    public String checked(String id) {
        if (!isAdopted() && !id.matches(UUID_TEXT)) {
            throw new ParameterException(
                    spec.commandLine(), "'" + id + "' is not a UUID: 'waybill outbox list' shows the ids of messages.");
        }
        return id;
    }
}
