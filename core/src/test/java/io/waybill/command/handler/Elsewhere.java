package io.waybill.command.handler;

import io.waybill.command.DomainCommand;

/** What is named like something of {@link AutoCommandHandlerRegistryTest}, in another package as it were. */
final class Elsewhere {

    private Elsewhere() {}

    static final class OrderService {
        public void createOrder(AutoCommandHandlerRegistryTest.CreateOrderCommand command) {}
    }

    record CancelOrderCommand(int order) implements DomainCommand {}

    static final class Cancelling {
        public void cancel(AutoCommandHandlerRegistryTest.CancelOrderCommand command) {}

        public void cancel(Elsewhere.CancelOrderCommand command) {}
    }
}
