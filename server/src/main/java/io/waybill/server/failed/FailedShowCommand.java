package io.waybill.server.failed;

import io.waybill.ops.FailedEntry;
import io.waybill.ops.FailedOverview;
import io.waybill.server.cli.MessageJson;
import io.waybill.server.cli.SingleMatch;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.AttemptLog;
import io.waybill.store.failed.FailedMessage;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show one failed message: attempts, headers, payload, error and stack trace.",
        mixinStandardHelpOptions = true)
final class FailedShowCommand implements Callable<Integer> {

    @Mixin
    private FailedTableOptions table = new FailedTableOptions();

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Parameters(
            paramLabel = "ID",
            description =
                    "The id that 'waybill failed list' shows, the id of the message or its beginning, or its key.")
    @SuppressWarnings("NullAway.Init")
    private String id;

    /** By the id that the list shows, or by the id of the message or its beginning, or by its key. */
    private FailedEntry find(FailedOverview overview) {
        return overview.isId(id)
                ? overview.show(id)
                : overview.show(SingleMatch.of(
                                "failed message",
                                id,
                                overview.about(id, SingleMatch.MAX_CANDIDATES),
                                FailedShowCommand::label,
                                "waybill failed list")
                        .id());
    }

    private static String label(FailedEntry entry) {
        return entry.id() + "  " + entry.state().word() + ", " + entry.message().handler() + " from "
                + entry.message().source() + ", message "
                + entry.message().message().id();
    }

    @Override
    public Integer call() {
        FailedEntry entry = listing.read(store -> find(table.overview(store)));
        PrintWriter out = listing.out();
        if (listing.isJson()) {
            out.println(MessageJson.of(entry));
            return 0;
        }
        FailedMessage message = entry.message();
        out.println(
                entry.isInOutbox()
                        ? "outbox     " + entry.id() + ", to " + entry.destination()
                        : "failed     " + message.id() + ", group "
                                + message.cause().fingerprint());
        out.println("state      " + entry.state().word() + ", " + entry.next());
        out.println("message    " + message.message().id() + " "
                + message.message().category().label() + " " + message.message().type());
        out.println("from       " + message.source());
        out.println("handler    " + (message.handler().isEmpty() ? "-" : message.handler()) + ", " + message.attempts()
                + " attempts, "
                + (entry.isInOutbox()
                        ? "appended " + message.firstFailedAt()
                        : "first " + message.firstFailedAt() + ", last " + message.lastFailedAt()));
        out.println("key        " + message.message().partitionKey());
        if (message.parksKey()) {
            out.println("order      "
                    + (message.isFollower() ? "waits behind an earlier message of its key" : "parks its key")
                    + (message.isOnItsWay() ? ", is being retried" : ""));
        }
        if (message.retries() > 0) {
            out.println("retried    " + message.retries() + " times by operators"
                    + (message.hasFailedAgain() ? ", and failed again" : ""));
        }
        message.attemptLog()
                .entries()
                .forEach(one -> out.println("history    " + one.at() + "  "
                        + (one.kind() == AttemptLog.Kind.FAILED ? "failed: " : "") + one.text()));
        message.message().headers().forEach((name, value) -> out.println("header     " + name + ": " + value));
        out.println("payload    "
                + (message.message().payload().isText()
                        ? message.message().payload().asText()
                        : message.message().payload() + " (waybill failed export has it in base64)"));
        out.println("error      " + message.cause().label());
        out.println(message.cause().stack());
        return 0;
    }
}
