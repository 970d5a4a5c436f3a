package io.waybill.server.failed;

import io.waybill.server.cli.LimitOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.failed.FailedMessage;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Failed messages in the order in which they failed.",
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

    @Option(names = "--after", paramLabel = "ID", defaultValue = "0", description = "Those behind this id (0).")
    private long after;

    @Override
    public Integer call() {
        var selection = selected.selection();
        int limit = limited.limit();
        List<FailedMessage> page = listing.read(store -> table.of(store).list(selection, after, limit));
        var answer = new Listing("id", "group", "handler", "from", "type", "key", "attempts", "error");
        page.forEach(message -> answer.add(
                message.id(),
                message.cause().fingerprint(),
                message.handler(),
                message.source(),
                message.message().type(),
                message.message().partitionKey(),
                message.attempts(),
                listing.isJson()
                        ? message.cause().error()
                        : Listing.shortened(
                                message.cause().kind() + ": " + message.cause().error())));
        listing.show(answer, "No failed messages.");
        if (page.size() == limit) {
            listing.hint("There may be more: waybill failed list --after "
                    + page.get(limit - 1).id());
        }
        return 0;
    }
}
