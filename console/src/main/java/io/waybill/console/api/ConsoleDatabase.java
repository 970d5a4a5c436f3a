package io.waybill.console.api;

import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.ops.ProcessOperations;
import io.waybill.process.store.ProcessStore;
import java.util.function.Supplier;

/**
 * A database that the console shows.
 *
 * @param name in addresses
 * @param address as it may be shown: without a password
 * @param opened is asked for every request, and throws while the database is away
 */
public record ConsoleDatabase(String name, String address, Supplier<JdbcStore> opened) {

    public ConsoleDatabase {
        if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
            throw new WaybillException("'" + name
                    + "' cannot name a database of the console: use 1 to 64 letters, digits, '.', '_' or '-'.");
        }
    }

    /** One that is open. */
    public static ConsoleDatabase of(String name, String address, JdbcStore store) {
        return new ConsoleDatabase(name, address, () -> store);
    }

    public JdbcStore store() {
        try {
            return opened.get();
        } catch (WaybillException e) {
            throw new ApiError(503, String.valueOf(e.getMessage()));
        }
    }

    public OutboxOperations outbox() {
        return new OutboxOperations(store().admin());
    }

    public FailedMessages failed() {
        return store().failedMessages();
    }

    public ProcessStore processes() {
        return store().processStore(PayloadCodec.found());
    }

    public ProcessOperations processOperations() {
        return new ProcessOperations(processes(), store().outbox(), store().transactions(), PayloadCodec.found());
    }
}
