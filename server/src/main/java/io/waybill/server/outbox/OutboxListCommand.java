package io.waybill.server.outbox;

import io.waybill.server.change.OutboxSelectionOptions;
import io.waybill.server.cli.Ages;
import io.waybill.server.cli.LimitOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.StoredMessage;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "List messages in the order in which they were appended.",
            "",
            "Without --status or --all it lists only messages that are not published yet."
        },
        mixinStandardHelpOptions = true)
final class OutboxListCommand implements Callable<Integer> {

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private OutboxSelectionOptions selected = new OutboxSelectionOptions();

    @Mixin
    private LimitOptions limited = new LimitOptions();

    @Option(names = "--all", description = "Include published and discarded messages.")
    private boolean all;

    @Option(
            names = "--after",
            paramLabel = "POSITION",
            defaultValue = "0",
            description = "Only messages after this position (0).")
    private long after;

    @Override
    public Integer call() {
        int limit = limited.limit();
        List<StoredMessage> page = selected.use(
                listing.database(),
                outbox -> outbox.operations()
                        .list(
                                all || selected.hasStatuses()
                                        ? selected.any(outbox::id)
                                        : selected.among(OutboxStatus::isOpen, outbox::id),
                                after,
                                limit));
        Instant now = Clock.systemUTC().instant();
        boolean json = listing.isJson();
        var answer = new Listing(
                "position",
                "id",
                "status",
                "destination",
                "type",
                "key",
                "attempts",
                json ? "createdAt" : "age",
                "error");
        page.forEach(message -> answer.add(
                message.position(),
                message.envelope().id(),
                message.status(),
                message.envelope().destination(),
                message.envelope().type(),
                message.envelope().partitionKey(),
                message.attempts(),
                json ? message.createdAt() : Ages.words(Ages.of(message.createdAt(), now)),
                json || message.error() == null ? message.error() : Listing.shortened(message.error())));
        listing.show(answer, all ? "The outbox is empty." : "No such message waits.");
        if (page.size() == limit) {
            listing.hint("There may be more: waybill outbox list --after "
                    + page.get(limit - 1).position());
        }
        return 0;
    }
}
