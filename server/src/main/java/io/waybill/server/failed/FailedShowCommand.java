package io.waybill.server.failed;

import io.waybill.ops.FailedEntry;
import io.waybill.server.cli.MessageJson;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.failed.FailedMessage;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Everything about one failed message: headers, payload, error and stack.",
        mixinStandardHelpOptions = true)
final class FailedShowCommand implements Callable<Integer> {

    @Mixin
    private FailedTableOptions table = new FailedTableOptions();

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Parameters(paramLabel = "ID", description = "The id that 'waybill failed list' shows.")
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Override
    public Integer call() {
        FailedEntry entry = listing.read(store -> table.overview(store).show(id));
        PrintWriter out = listing.out();
        if (listing.isJson()) {
            out.println(MessageJson.of(entry));
            return 0;
        }
        FailedMessage message = entry.message();
        out.println(entry.isInOutbox()
                ? "outbox     " + entry.id() + ", to " + entry.destination()
                : "failed     " + message.id() + ", group " + message.cause().fingerprint());
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
