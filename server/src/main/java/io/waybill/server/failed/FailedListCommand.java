package io.waybill.server.failed;

import io.waybill.ops.FailedEntry;
import io.waybill.server.cli.LimitOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "List messages that could not be handled or published, with their state.",
            "",
            "failed: all attempts are used; in the order of failure. parked: waiting behind a failed message of"
                    + " the same key. retrying: refused by a handler or a broker; the next attempt is at the time shown."
        },
        mixinStandardHelpOptions = true)
final class FailedListCommand implements Callable<Integer> {

    @Mixin
    private FailedTableOptions table = new FailedTableOptions();

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Mixin
    private LimitOptions limited = new LimitOptions();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Only messages that are retrying, parked or failed; may be given several times.")
    private Set<FailedState> states = EnumSet.noneOf(FailedState.class);

    @Option(names = "--after", paramLabel = "ID", defaultValue = "", description = "Only messages after this id.")
    private String after = "";

    @Override
    public Integer call() {
        var selection = selected.selection();
        int limit = limited.limit();
        List<FailedEntry> page = listing.read(store -> table.overview(store).list(selection, states, after, limit));
        var answer = new Listing(
                "id", "state", "group", "handler", "from", "type", "key", "attempts", "nextAttempt", "error");
        page.forEach(entry -> add(entry, answer));
        listing.show(answer, "No failed messages.");
        if (page.size() == limit) {
            listing.hint("There may be more: waybill failed list --after "
                    + page.get(limit - 1).id());
        }
        return 0;
    }

    private void add(FailedEntry entry, Listing answer) {
        FailedMessage message = entry.message();
        answer.add(
                entry.isInOutbox() ? entry.id() : (Object) message.id(),
                entry.state().word(),
                message.cause().fingerprint(),
                message.handler(),
                message.source(),
                message.message().type(),
                message.message().partitionKey(),
                message.attempts(),
                entry.nextAttempt(),
                listing.isJson()
                        ? message.cause().error()
                        : Listing.shortened(message.cause().label()));
    }
}
