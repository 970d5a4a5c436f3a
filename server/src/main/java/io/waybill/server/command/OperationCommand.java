package io.waybill.server.command;

import io.waybill.jdbc.ops.OperationLog;
import io.waybill.server.cli.Ages;
import io.waybill.server.cli.CommandGroup;
import io.waybill.server.cli.LimitOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What was done from the command line. */
@Command(
        name = "operation",
        description = "Show changes made from the command line or the console: who, what and why.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class OperationCommand extends CommandGroup {

    @Command(
            name = "list",
            description = "List the latest changes, the last one first.",
            mixinStandardHelpOptions = true)
    int list(@Mixin ListingOptions listing, @Mixin LimitOptions limit) {
        List<OperationLog.Entry> entries =
                listing.read(store -> store.operationLog().latest(limit.limit()));
        return listing.show(
                listing.isJson()
                        ? all(entries)
                        : some(entries, Clock.systemUTC().instant()),
                "Nothing was changed from the command line.");
    }

    private static Listing all(List<OperationLog.Entry> entries) {
        var answer = new Listing(
                "id", "startedAt", "endedAt", "operator", "databaseUser", "command", "reason", "result", "interrupted");
        entries.forEach(one -> answer.add(
                one.id(),
                one.startedAt(),
                one.endedAt(),
                one.operator(),
                one.databaseUser(),
                one.command(),
                one.reason(),
                one.result(),
                one.interrupted()));
        return answer;
    }

    private static String result(OperationLog.Entry one) {
        if (one.endedAt() != null) {
            return one.result();
        }
        return (one.interrupted() ? "interrupted, start it again" : "goes on")
                + (one.result().isEmpty() ? "" : ": " + one.result());
    }

    private static Listing some(List<OperationLog.Entry> entries, Instant now) {
        var answer = new Listing("when", "who", "command", "result", "reason");
        entries.forEach(one -> answer.add(
                Ages.words(Ages.of(one.startedAt(), now)) + " ago",
                one.operator(),
                one.command(),
                result(one),
                one.reason()));
        return answer;
    }
}
