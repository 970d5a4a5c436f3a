package io.waybill.server.failed;

import io.waybill.server.cli.Ages;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.failed.FailedState;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "groups",
        description = {
            "Group failed messages by their cause, the most frequent first.",
            "",
            "again: how many of them failed again after somebody had retried them."
        },
        mixinStandardHelpOptions = true)
final class FailedGroupsCommand implements Callable<Integer> {

    @Mixin
    private FailedTableOptions table = new FailedTableOptions();

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Override
    public Integer call() {
        var selection = selected.selection();
        Instant now = Clock.systemUTC().instant();
        boolean json = listing.isJson();
        var answer = new Listing(
                "group",
                "count",
                json ? "failedAgain" : "again",
                "error",
                "from",
                "handler",
                json ? "first" : "since",
                "last");
        listing.read(store -> table.of(store).groups(selection))
                .forEach(group -> answer.add(
                        group.fingerprint(),
                        group.count(),
                        group.failedAgain(),
                        group.kind(),
                        group.source(),
                        group.handler(),
                        json ? group.first() : Ages.words(Ages.of(group.first(), now)),
                        json ? group.last() : Ages.words(Ages.of(group.last(), now)) + " ago"));
        listing.show(answer, "No failed messages.");
        long retrying = listing.isJson()
                ? 0
                : listing.read(store -> table.overview(store).countRetrying());
        if (retrying > 0) {
            listing.hint(retrying + (retrying == 1 ? " message is" : " messages are") + " tried again: "
                    + FailedState.RETRYING.command());
        }
        return 0;
    }
}
