package io.waybill.testkit.contract.command;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;

import io.waybill.Backoff;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.command.DomainCommand;
import io.waybill.command.Retryable;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandStatus;
import io.waybill.message.Message;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.relay.Relay;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.testkit.contract.relay.RelayScenario;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts of commands have in common: a service, a node and a relay. An effect is a message that a handler appends. */
abstract class CommandScenario extends RelayScenario {

    static final Duration A_MOMENT = Duration.ofSeconds(5);
    static final CommandRetries RETRIES =
            CommandRetries.DEFAULT.backoff(new Backoff(Duration.ofMillis(500), Duration.ofSeconds(1), 0));

    Consumer<BookSeatCommand> before = command -> {};
    Consumer<BookSeatCommand> after = command -> {};
    CommandRuntime commandRuntime;
    Relay relay;

    /** Books a seat. */
    public record BookSeatCommand(String seat, int row) implements DomainCommand {
        public BookSeatCommand {
            if (row < 1) {
                throw new IllegalArgumentException("row must be at least 1, but is " + row);
            }
        }
    }

    /** Gives a seat back. */
    public record FreeSeatCommand(String seat) implements DomainCommand {}

    /** Counts the seats of some rows. */
    public record CountSeatsCommand(int rows) implements DomainCommand {}

    /** A seat that was booked. */
    public record Booking(String seat, String ticket) {}

    /** Not now. */
    public static final class BusyException extends RuntimeException implements Retryable {
        BusyException() {
            super("not now");
        }
    }

    /** The application's service. */
    public final class Seats {
        public Booking book(BookSeatCommand command) {
            before.accept(command);
            store.outbox().append(effect("booked " + command.seat()));
            after.accept(command);
            return new Booking(command.seat(), "T-" + command.seat());
        }

        public void free(FreeSeatCommand command) {
            store.outbox().append(effect("freed " + command.seat()));
        }

        public int count(CountSeatsCommand command) {
            return 3 * command.rows();
        }
    }

    @SuppressWarnings("NullAway.Init")
    CommandScenario() {}

    @BeforeEach
    void startCommands() {
        commandRuntime = commandRuntime(AutoCommandHandlerRegistry.of(new Seats()));
        relay = relay(commandRuntime);
    }

    @AfterEach
    void stopCommands() {
        relay.close();
        commandRuntime.close();
    }

    /** A node with these handlers. */
    CommandRuntime commandRuntime(AutoCommandHandlerRegistry handlers) {
        return commandRuntime(handlers, CommandNaming.DEFAULT, RETRIES);
    }

    CommandRuntime commandRuntime(AutoCommandHandlerRegistry handlers, CommandNaming naming, CommandRetries retries) {
        return commandRuntime(handlers, store.outbox(), naming, retries);
    }

    CommandRuntime commandRuntime(
            AutoCommandHandlerRegistry handlers, Outbox outbox, CommandNaming naming, CommandRetries retries) {
        return new CommandRuntime(
                handlers,
                store.commandStore(),
                outbox,
                store.transactions(),
                naming,
                retries,
                PayloadCodec.found(),
                store.clock().time());
    }

    Relay relay(CommandRuntime commandRuntime) {
        return relay(Routes.of(Stream.concat(
                        commandRuntime.routes().stream(),
                        Stream.of(Route.of("effects", other), Route.of("answers", broker)))
                .toArray(Route[]::new)));
    }

    /** Starts anew with other names of queues, or another patience. */
    void restart(CommandNaming naming, CommandRetries retries) {
        stopCommands();
        commandRuntime = commandRuntime(AutoCommandHandlerRegistry.of(new Seats()), naming, retries);
        relay = relay(commandRuntime);
    }

    CommandBus bus() {
        return commandRuntime.bus();
    }

    UUID accept(String seat, String key) {
        return bus().accept(new BookSeatCommand(seat, 1), idempotencyKey(key), businessKey("hall"));
    }

    CommandStatus status(UUID commandId) {
        return store.commandStore().find(commandId).orElseThrow().status();
    }

    static Message effect(String what) {
        return Message.event("Effect", what).as("text/plain").to("effects");
    }

    List<String> effects() {
        return other.payloads();
    }
}
