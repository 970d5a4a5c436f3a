package io.waybill.testkit.contract;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.command.AutoCommandHandlerRegistry;
import io.waybill.command.BusinessKey;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandOverException;
import io.waybill.command.CommandRecord;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandRetries;
import io.waybill.command.CommandStatus;
import io.waybill.command.Commanding;
import io.waybill.command.DomainCommand;
import io.waybill.command.PendingReply;
import io.waybill.command.Retryable;
import io.waybill.message.Message;
import io.waybill.message.PayloadCodec;
import io.waybill.relay.Backoff;
import io.waybill.relay.Relay;
import io.waybill.relay.Route;
import io.waybill.relay.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is promised to who sends a command, with handlers in the same process. An effect is a message that a handler appends. */
public abstract class CommandContract extends RelayScenario {

    private static final Duration A_MOMENT = Duration.ofSeconds(5);

    private Consumer<BookSeatCommand> before = command -> {};
    private Consumer<BookSeatCommand> after = command -> {};
    private Commanding commanding;
    private Relay relay;

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
    }

    @SuppressWarnings("NullAway.Init")
    protected CommandContract() {}

    @BeforeEach
    void startCommands() {
        commanding = commanding(AutoCommandHandlerRegistry.of(new Seats()));
        relay = relay(commanding);
    }

    @AfterEach
    void stopCommands() {
        relay.close();
        commanding.close();
    }

    private Commanding commanding(AutoCommandHandlerRegistry handlers) {
        return new Commanding(
                handlers,
                store.commandStore(),
                store.outbox(),
                store.transactions(),
                CommandNaming.DEFAULT,
                CommandRetries.DEFAULT.backoff(new Backoff(Duration.ofMillis(500), Duration.ofSeconds(1), 0)),
                PayloadCodec.found(),
                store.clock().time());
    }

    private Relay relay(Commanding commanding) {
        return relay(Routes.of(Stream.concat(
                        commanding.routes().stream(),
                        Stream.of(Route.of("effects", other), Route.of("answers", broker)))
                .toArray(Route[]::new)));
    }

    private CommandBus bus() {
        return commanding.bus();
    }

    @Test
    void a_command_runs_once_and_its_answer_comes_back() {
        PendingReply reply = bus().send(new BookSeatCommand("A1", 1), idempotencyKey("request-1"));

        relay.drain();

        assertThat(reply.await(A_MOMENT).as(Booking.class)).isEqualTo(new Booking("A1", "T-A1"));
        assertThat(effects()).containsExactly("booked A1");
        assertThat(status(reply.commandId())).isEqualTo(CommandStatus.COMPLETED);
    }

    @Test
    void a_handler_that_returns_nothing_answers_with_no_data() {
        PendingReply reply = bus().send(new FreeSeatCommand("A1"), idempotencyKey("request-1"));

        relay.drain();

        assertThat(reply.await(A_MOMENT).reply())
                .isEqualTo(CommandReply.completed(reply.commandId(), reply.commandId(), Map.of()));
    }

    @Test
    void the_same_key_is_the_same_command() {
        UUID first = accept("A1", "request-1");
        relay.drain();
        UUID second = accept("A1", "request-1");
        relay.drain();

        assertThat(second).isEqualTo(first);
        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void the_same_key_with_another_payload_is_an_error_that_says_so() {
        accept("A1", "request-1");

        assertThatThrownBy(() -> accept("B2", "request-1"))
                .hasMessageContaining("Duplicate idempotency key: request-1")
                .hasMessageContaining("is not the same");
        relay.drain();
        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void keys_that_differ_in_case_or_trailing_blanks_are_different_keys() {
        for (String key : List.of("request-1", "Request-1", "request-1 ")) {
            bus().accept(new BookSeatCommand(key, 1), idempotencyKey(key), businessKey(key));
        }

        relay.drain();

        assertThat(effects()).containsExactlyInAnyOrder("booked request-1", "booked Request-1", "booked request-1 ");
    }

    @Test
    void a_command_is_accepted_by_the_name_of_its_type_in_the_callers_transaction() {
        assertThatThrownBy(() -> store.transactions().inTransaction(transaction -> {
                    bus().accept("BookSeat", "k", "b", "{\"seat\":\"A1\",\"row\":1}", Map.of());
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        bus().accept("BookSeat", "k", "b", "{\"seat\":\"B2\",\"row\":1}", Map.of());

        relay.drain();

        assertThat(effects()).containsExactly("booked B2");
    }

    @Test
    void a_handler_that_throws_has_no_effect_and_the_answer_says_why() {
        after = command -> {
            throw new IllegalStateException("the seat is broken");
        };
        PendingReply reply = bus().send(new BookSeatCommand("A1", 1), idempotencyKey("request-1"));

        relay.drain();

        CommandReply.Failed failed = (CommandReply.Failed) reply.await(A_MOMENT).reply();
        assertThat(failed.error()).isEqualTo("IllegalStateException: the seat is broken");
        assertThat(effects()).isEmpty();
        assertThat(status(reply.commandId())).isEqualTo(CommandStatus.FAILED);
        assertThat(store.statuses()).doesNotContainKeys("FAILED", "HELD", "PENDING");
    }

    @Test
    void a_payload_that_its_command_refuses_is_refused_at_the_call_with_field_and_value() {
        assertThatThrownBy(() -> bus().accept("BookSeat", "k", "", "{\"seat\":\"A1\",\"row\":0}", Map.of()))
                .hasMessageContaining("row must be at least 1, but is 0");
        UUID id = bus().accept("BookSeat", "k", "", "{\"seat\":\"A1\",\"row\":1}", Map.of());

        relay.drain();

        assertThat(status(id)).as("its key is free").isEqualTo(CommandStatus.COMPLETED);
        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void a_payload_that_its_command_refuses_fails_where_its_handler_is() {
        UUID id;
        try (var sender = commanding(AutoCommandHandlerRegistry.of())) {
            id = sender.bus().accept("BookSeat", "k", "", "{\"seat\":\"A1\",\"row\":0}", Map.of());
        }

        relay.drain();

        assertThat(status(id)).isEqualTo(CommandStatus.FAILED);
        assertThat(store.commandStore().find(id).orElseThrow().reply()).contains("row must be at least 1, but is 0");
    }

    @Test
    void an_error_that_may_go_away_is_tried_again_later() {
        before = command -> {
            before = again -> {};
            throw new BusyException();
        };
        PendingReply reply = bus().send(new BookSeatCommand("A1", 1), idempotencyKey("request-1"));

        relay.drain();
        assertThat(effects()).isEmpty();
        outlast(relay, 1);

        assertThat(reply.await(A_MOMENT).as(Booking.class).ticket()).isEqualTo("T-A1");
        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void commands_about_one_thing_run_in_order_and_a_failure_does_not_stop_the_next() {
        before = command -> {
            if (command.row() == 2) {
                throw new IllegalStateException("bad");
            }
        };
        for (int row = 1; row <= 4; row++) {
            bus().accept(new BookSeatCommand("seat-" + row, row), idempotencyKey(row), businessKey("hall"));
        }

        relay.drain();

        assertThat(effects()).containsExactly("booked seat-1", "booked seat-3", "booked seat-4");
    }

    @Test
    void a_command_whose_time_is_over_has_timed_out_and_does_not_run_any_more() {
        PendingReply reply = bus().send(
                        new BookSeatCommand("A1", 1),
                        idempotencyKey("request-1"),
                        BusinessKey.NONE,
                        CommandOptions.DEFAULT.timeout(Duration.ofSeconds(10)));
        assertThat(commanding.expire(10)).isZero();
        store.clock().advance(Duration.ofSeconds(11));

        assertThat(commanding.expire(10)).isEqualTo(1);
        relay.drain();

        assertThat(reply.await(A_MOMENT).reply()).isInstanceOf(CommandReply.TimedOut.class);
        assertThat(effects()).isEmpty();
        assertThat(commanding.expire(10)).isZero();
    }

    @Test
    void a_command_that_times_out_while_its_handler_is_at_work_has_no_effect() {
        PendingReply reply = bus().send(
                        new BookSeatCommand("A1", 1),
                        idempotencyKey("request-1"),
                        BusinessKey.NONE,
                        CommandOptions.DEFAULT.timeout(Duration.ofSeconds(10)));
        before = command -> {
            store.clock().advance(Duration.ofSeconds(11));
            inAnotherThread(() -> commanding.expire(10));
        };

        relay.drain();

        assertThat(reply.await(A_MOMENT).reply()).isInstanceOf(CommandReply.TimedOut.class);
        assertThat(effects()).isEmpty();
    }

    @Test
    void who_refuses_a_command_that_is_just_being_completed_waits_for_its_commit() throws Exception {
        UUID id = bus().accept(new BookSeatCommand("A1", 1), idempotencyKey("request-1"), businessKey("hall"));
        CommandRecord refused = CommandRecord.refused(id, "{}");
        var thread = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> refusal = store.transactions().inTransaction(transaction -> {
                store.commandStore().end(transaction, id, 1, CommandStatus.COMPLETED, "{}");
                return thread.submit(() -> store.transactions()
                        .inTransaction(other -> store.commandStore().refuse(other, refused)));
            });

            assertThat(refusal.get()).as("refused").isFalse();
            assertThat(status(id)).isEqualTo(CommandStatus.COMPLETED);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void of_many_commands_that_end_together_none_does_when_one_is_over() {
        List<UUID> ids = Stream.iterate(1, i -> i + 1)
                .limit(60)
                .map(i -> accept("A" + i, "request-" + i))
                .toList();
        UUID over = ids.get(40);
        store.transactions()
                .inTransaction(
                        transaction -> store.commandStore().end(transaction, over, 1, CommandStatus.FAILED, "{}"));

        assertThatThrownBy(() -> complete(ids)).isInstanceOf(CommandOverException.class);
        assertThat(ids).allMatch(id -> status(id) == (id.equals(over) ? CommandStatus.FAILED : CommandStatus.PENDING));

        List<UUID> others = ids.stream().filter(id -> !id.equals(over)).toList();
        complete(others);
        assertThat(others).allMatch(id -> status(id) == CommandStatus.COMPLETED);
    }

    private void complete(List<UUID> ids) {
        store.transactions().inTransaction(transaction -> {
            store.outboxStore()
                    .finish(
                            transaction,
                            () -> ids.forEach(id -> store.commandStore().complete(transaction, id, 1, "{}")));
            return ids;
        });
    }

    @Test
    void a_scheduled_command_runs_when_its_time_has_come() {
        bus().schedule(
                        new BookSeatCommand("A1", 1),
                        idempotencyKey("request-1"),
                        businessKey("hall"),
                        store.clock().instant().plus(Duration.ofMinutes(5)));

        relay.drain();
        assertThat(effects()).isEmpty();
        store.clock().advance(Duration.ofMinutes(6));
        relay.drain();

        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void commands_that_are_sent_again_and_again_while_handlers_crash_take_effect_once() throws Exception {
        int keys = 25;
        Set<String> crashed = ConcurrentHashMap.newKeySet();
        after = command -> {
            if (command.row() % 3 == 0 && crashed.add(command.seat())) {
                throw new BusyException();
            }
        };
        var random = new Random(20_261_116);
        var threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<UUID>> sent = new ArrayList<>();
            for (int i = 0; i < 10 * keys; i++) {
                int number = 1 + random.nextInt(keys);
                sent.add(threads.submit(() -> bus().accept(
                                new BookSeatCommand("seat-" + number, number),
                                idempotencyKey("request-" + number),
                                businessKey("hall-" + number % 5))));
            }
            for (int round = 0; round < 3; round++) {
                try (var others = commanding(AutoCommandHandlerRegistry.of(new Seats()));
                        Relay second = relay(others)) {
                    relay.runOnce();
                    second.runOnce();
                    second.drain();
                }
            }
            Set<UUID> ids = ConcurrentHashMap.newKeySet();
            for (Future<UUID> one : sent) {
                ids.add(one.get());
            }
            outlast(relay, 2);

            assertThat(effects()).hasSize(ids.size()).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void inAnotherThread(Runnable work) {
        var thread = new Thread(work);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private UUID accept(String seat, String key) {
        return bus().accept(new BookSeatCommand(seat, 1), idempotencyKey(key), businessKey("hall"));
    }

    private CommandStatus status(UUID commandId) {
        return store.commandStore().find(commandId).orElseThrow().status();
    }

    private static Message effect(String what) {
        return Message.event("Effect", what).as("text/plain").to("effects");
    }

    private List<String> effects() {
        return other.payloads();
    }
}
