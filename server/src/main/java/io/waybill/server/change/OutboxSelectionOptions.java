package io.waybill.server.change;

import io.waybill.server.change.OutboxTableOptions.Opened;
import io.waybill.server.cli.MessageOptions;
import io.waybill.server.cli.UsageErrors;
import io.waybill.server.database.DatabaseOptions;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which messages of the outbox a command is about: those that match all that is given. */
public final class OutboxSelectionOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = {"This message; may be given several times.", "In an adopted table, the id of its row."})
    private List<String> ids = new ArrayList<>();

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            split = ",",
            description = "In one of these: ${COMPLETION-CANDIDATES}.")
    private List<OutboxStatus> statuses = new ArrayList<>();

    @Option(names = "--destination", paramLabel = "NAME", defaultValue = "", description = "To this destination.")
    private String destination = "";

    @Option(names = "--retried", description = "Messages that an operator has published again before.")
    private boolean retried;

    @Mixin
    private MessageOptions message = new MessageOptions();

    @Option(
            names = "--error-group",
            paramLabel = "ERROR",
            defaultValue = "",
            description = {
                "Whose last error is that of a group of failures in the console, exactly: its first "
                        + Selection.ERROR_GROUP_LENGTH + " characters.",
                "'" + Selection.NO_ERROR + "' for messages without an error."
            })
    private String errorGroup = "";

    @Option(
            names = "--older-than",
            paramLabel = "MINUTES",
            defaultValue = "0",
            description = "Appended at least so many minutes ago.")
    private long olderThan;

    @Mixin
    private OutboxTableOptions table = new OutboxTableOptions();

    /** Runs the work on the table that the messages are in. */
    public <T> T use(DatabaseOptions database, Function<Opened, T> work) {
        return table.use(database, work);
    }

    /** Whether anything is said about the messages. */
    public boolean isGiven() {
        return !any(text -> new UUID(0, 0)).equals(Selection.all());
    }

    public boolean hasStatuses() {
        return !statuses.isEmpty();
    }

    /** Of these statuses only, whatever was asked for. */
    public Selection among(Predicate<OutboxStatus> allowed, Function<String, UUID> id) {
        Set<OutboxStatus> wanted = statuses.isEmpty() ? EnumSet.allOf(OutboxStatus.class) : Set.copyOf(statuses);
        Set<OutboxStatus> chosen = wanted.stream().filter(allowed).collect(Collectors.toSet());
        if (chosen.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--status " + statuses + " selects nothing here: only "
                            + EnumSet.allOf(OutboxStatus.class).stream()
                                    .filter(allowed)
                                    .map(Enum::name)
                                    .collect(Collectors.joining(", "))
                            + " can be.");
        }
        return selection(chosen, id);
    }

    /**
     * What was selected, or everything.
     *
     * @param id finds a message by what was given as its id
     */
    public Selection any(Function<String, UUID> id) {
        return selection(Set.copyOf(statuses), id);
    }

    private Selection selection(Set<OutboxStatus> chosen, Function<String, UUID> id) {
        return UsageErrors.checked(
                spec,
                () -> new Selection(
                        ids.stream().map(table::checked).map(id).collect(Collectors.toSet()),
                        Optional.empty(),
                        chosen,
                        destination,
                        message.type(),
                        message.key(),
                        message.error(),
                        errorGroup,
                        Duration.ofMinutes(olderThan),
                        retried));
    }
}
