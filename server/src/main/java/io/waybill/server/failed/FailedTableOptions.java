package io.waybill.server.failed;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.FailedTable;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.FailedOverview;
import io.waybill.server.cli.Operator;
import java.time.ZoneId;
import java.time.ZoneOffset;
import picocli.CommandLine.Option;

/** Where failed messages are. */
final class FailedTableOptions {

    @Option(
            names = "--in",
            paramLabel = "TABLE",
            defaultValue = "FAILED_MESSAGE",
            description = "The table: failed_message (the default), or messenger_messages, the failed queue of Symfony"
                    + " Messenger.")
    private FailedTable table = FailedTable.FAILED_MESSAGE;

    @Option(
            names = "--time-zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "The time zone of the PHP application, as in Europe/Warsaw: it writes local time (UTC).")
    private ZoneId zone = ZoneOffset.UTC;

    FailedOverview overview(JdbcStore store) {
        return store.failedOverview(table, zone);
    }

    FailedMessages of(JdbcStore store) {
        return store.failedMessages(table, zone).by(Operator.name());
    }
}
