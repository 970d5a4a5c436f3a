package io.waybill.server;

import io.waybill.jdbc.FailedTable;
import io.waybill.jdbc.JdbcStore;
import io.waybill.ops.FailedMessages;
import picocli.CommandLine.Option;

/** Where failed messages are. */
final class FailedTableOptions {

    @Option(
            names = "--in",
            paramLabel = "TABLE",
            defaultValue = "FAILED_MESSAGE",
            description =
                    "Where they are: failed_message (the default), or messenger_messages, the failed queue of PHP's"
                            + " Symfony Messenger.")
    private FailedTable table = FailedTable.FAILED_MESSAGE;

    FailedMessages of(JdbcStore store) {
        return store.failedMessages(table);
    }
}
