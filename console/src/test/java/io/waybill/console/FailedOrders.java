package io.waybill.console;

import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import java.util.UUID;
import java.util.stream.IntStream;

/** Orders that the handler {@code billing} gave up, all with the same error. */
public final class FailedOrders {

    private FailedOrders() {}

    public static void put(JdbcStore store, int count) {
        store.transactions().inTransaction(transaction -> {
            IntStream.range(0, count)
                    .mapToObj(i -> Message.event("Order", "{\"number\":" + i + ",\"password\":\"secret\"}")
                            .to("orders")
                            .seal(UUID::randomUUID))
                    .forEach(order ->
                            store.failedStore().put(transaction, ErrorSummary.of(order, "billing", 3, noInk())));
            return transaction;
        });
    }

    public static IllegalStateException noInk() {
        return new IllegalStateException("no ink");
    }
}
