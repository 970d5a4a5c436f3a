package io.waybill.spring;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.BusinessKey;
import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.command.Retryable;
import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.AppendTo;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessListener;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessStatus;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A shop: services that write rows and messages, handlers, subscribers, a process and a listener of its own. */
final class TestShop {

    private TestShop() {}

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Stock.class, Mails.class, Desk.class, Purchase.class})
    static class Shop {
        @Bean
        Heard heard() {
            return new Heard();
        }

        @Bean
        WaybillCustomizer listen(Heard heard) {
            return builder -> builder.processListener(heard);
        }

        @Bean
        String unrelated() {
            return "not a handler";
        }
    }

    /** A listener of the application's own. */
    static final class Heard implements ProcessListener {
        final Queue<String> ended = new ConcurrentLinkedQueue<>();

        @Override
        public void ended(String processType, ProcessStatus status) {
            ended.add(processType + " " + status);
        }
    }

    /** Fails at first, in a way that goes away. */
    public record CountCommand(String order) implements DomainCommand {}

    /** It will go away. */
    static final class NotYetException extends RuntimeException implements Retryable {
        NotYetException() {
            super("not yet");
        }
    }

    /** An order was placed. */
    @MessageType("OrderPlaced")
    public record OrderPlaced(String order) {}

    /** An order was cancelled, which others hear of. */
    @MessageType("OrderCancelled")
    @AppendTo(value = "orders.cancelled", inOrderOf = "order")
    public record OrderCancelled(String order) {}

    /** Stock was counted. */
    @MessageType("StockCounted")
    @AppendTo(value = "stock.counted", inOrderOf = "order")
    public record StockCounted(String order) {}

    /** Reserves stock. */
    public record ReserveCommand(String order, int amount) implements DomainCommand {}

    /** Gives stock back. */
    public record ReleaseCommand(String order) implements DomainCommand {}

    /** Sends the parcel. */
    public record ShipCommand(String order) implements DomainCommand {}

    /** Writes rows and messages. */
    @Component
    @Transactional
    static class Orders {
        private final JdbcTemplate jdbc;
        private final Outbox outbox;
        private final CommandBus commands;
        private final ApplicationEventPublisher events;

        Orders(JdbcTemplate jdbc, Outbox outbox, CommandBus commands, ApplicationEventPublisher events) {
            this.jdbc = jdbc;
            this.outbox = outbox;
            this.commands = commands;
            this.events = events;
        }

        public void place(String order) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "placed " + order);
            outbox.append(
                    Message.event(new OrderPlaced(order)).to("orders.placed").inOrderOf(order));
        }

        public void placeInVain(String order) {
            place(order);
            throw new IllegalStateException("no " + order);
        }

        public void cancel(String order) {
            events.publishEvent(new OrderCancelled(order));
        }

        public void cancelInVain(String order) {
            cancel(order);
            throw new IllegalStateException("no " + order);
        }

        public void reserveInVain(String order) {
            commands.accept(new ReserveCommand(order, 1), idempotencyKey(order), BusinessKey.NONE);
            throw new IllegalStateException("no " + order);
        }

        public void append(String destination, String order) {
            outbox.append(Message.event("Order", order).as("text/plain").to(destination));
        }
    }

    /** Handles commands, and needs the outbox for it. */
    @Component
    static class Stock {
        private final JdbcTemplate jdbc;
        private final Outbox outbox;
        private final Set<String> counted = ConcurrentHashMap.newKeySet();

        @SuppressWarnings("unused")
        Stock(JdbcTemplate jdbc, Outbox outbox, ProcessManager processes) {
            this.jdbc = jdbc;
            this.outbox = outbox;
        }

        @Transactional(propagation = Propagation.MANDATORY)
        public Map<String, Object> reserve(ReserveCommand command) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "reserved " + command.order());
            if (command.amount() < 0) {
                throw new IllegalArgumentException("cannot reserve " + command.amount());
            }
            return Map.of("reserved", command.amount());
        }

        public void count(CountCommand command) {
            outbox.publish(new StockCounted(command.order()));
            if (counted.add(command.order())) {
                throw new NotYetException();
            }
        }

        @Transactional
        public void release(ReleaseCommand command) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "released " + command.order());
        }

        @Transactional
        public void ship(ShipCommand command) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "shipped " + command.order());
            if (command.order().startsWith("broken")) {
                throw new IllegalStateException("no parcel for " + command.order());
            }
        }
    }

    /** Handles messages. */
    @Component
    static class Mails {
        private final JdbcTemplate jdbc;
        private final Orders orders;

        Mails(JdbcTemplate jdbc, Orders orders) {
            this.jdbc = jdbc;
            this.orders = orders;
        }

        @SubscribeTo(value = "orders.placed", handler = "mails")
        @Transactional
        public void send(OrderPlaced placed) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "mailed " + placed.order());
        }

        @SubscribeTo("${shop.cancellations:orders.cancelled}")
        void tell(Received<OrderCancelled> cancelled) {
            jdbc.update(
                    "INSERT INTO ledger VALUES (?)",
                    "told of " + cancelled.payload().order() + " in order of "
                            + cancelled.message().partitionKey());
        }

        @SubscribeTo("stock.counted")
        @Transactional
        public void report(StockCounted counted) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "reported " + counted.order());
        }

        @SubscribeTo("stock.counted")
        @Transactional
        public void file(StockCounted counted) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "filed " + counted.order());
        }

        @SubscribeTo("orders.refused")
        void refuse(String order) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "refused " + order);
            throw new IllegalStateException("no mail for " + order);
        }

        @SubscribeTo("orders.swallowed")
        void swallow(String order) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "swallowed " + order);
            try {
                orders.placeInVain(order);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("no ");
            }
        }
    }

    /** Takes commands from people; it is no handler of them. */
    @Controller
    static class Desk {
        public String ask(ReserveCommand command) {
            return command.toString();
        }
    }

    /** Reserve, then ship. */
    static final class Purchase implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Purchase";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveCommand.class)
                    .withCompensation(ReleaseCommand.class)
                    .then(ShipCommand.class)
                    .end();
        }
    }
}
