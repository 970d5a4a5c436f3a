package io.waybill.server.outbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.server.change.OutboxTableOptions;
import io.waybill.server.cli.MessageJson;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.StoredMessage;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show one message: headers, payload, attempts with their errors.",
        mixinStandardHelpOptions = true)
final class OutboxShowCommand implements Callable<Integer> {

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Parameters(
            paramLabel = "ID",
            description =
                    "The id that 'waybill outbox list' shows, the beginning of one, or a partition key; in an adopted"
                            + " table, the id of the row.")
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Mixin
    private OutboxTableOptions table = new OutboxTableOptions();

    @Override
    public Integer call() {
        StoredMessage message = table.use(
                listing.database(),
                outbox -> outbox.operations()
                        .find(outbox.idOrKey(id))
                        .orElseThrow(
                                () -> new WaybillException(
                                        "There is no message " + id
                                                + " in the outbox. It may have been sent and cleaned up; 'waybill outbox list' shows what waits.")));
        PrintWriter out = listing.out();
        if (listing.isJson()) {
            out.println(MessageJson.of(message));
            return 0;
        }
        Envelope envelope = message.envelope();
        out.println("message     " + envelope.id() + " " + envelope.category().label() + " " + envelope.type());
        out.println("to          " + envelope.destination());
        out.println("status      " + message.status() + ", position " + message.position() + ", shard "
                + message.shard() + ", refused " + message.attempts() + " times"
                + (message.retries() > 0 ? ", published again " + message.retries() + " times by operators" : ""));
        out.println("appended    " + message.createdAt());
        if (message.availableAt() != null) {
            out.println("next try    " + message.availableAt());
        }
        if (message.dispatchedAt() != null) {
            out.println("over since  " + message.dispatchedAt());
        }
        if (message.error() != null) {
            out.println("error       " + message.error());
        }
        out.println("key         " + envelope.partitionKey()
                + (envelope.key().isEmpty() ? "" : " (message key " + envelope.key() + ")"));
        message.attemptLog()
                .entries()
                .forEach(entry -> out.println("history     " + entry.at() + "  "
                        + (entry.kind() == AttemptLog.Kind.FAILED ? "failed: " : "") + entry.text()));
        envelope.headers().forEach((name, value) -> out.println("header      " + name + ": " + value));
        out.println("payload     "
                + (envelope.payload().isText()
                        ? envelope.payload().asText()
                        : envelope.payload() + " (-o json has it in base64)"));
        return 0;
    }
}
