package io.waybill.testkit.contract.command;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.command.BusinessKey;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.command.PendingReply;
import io.waybill.command.Permanent;
import io.waybill.command.execution.CommandOverException;
import io.waybill.command.execution.CommandReceiver;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.observe.InboxListener;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.relay.Relay;
import io.waybill.store.failed.FailedSelection;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is promised about commands that fail, are tried again, or take too long. */
public abstract class CommandFailureContract extends CommandScenario {

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
    void a_payload_that_its_command_refuses_fails_where_its_handler_is() {
        UUID id;
        try (var sender = commandRuntime(AutoCommandHandlerRegistry.of())) {
            id = sender.bus().accept("BookSeat", "k", "", "{\"seat\":\"A1\",\"row\":0}", Map.of());
        }

        relay.drain();

        assertThat(status(id)).isEqualTo(CommandStatus.FAILED);
        assertThat(store.commandStore().find(id).orElseThrow().reply()).contains("row must be at least 1, but is 0");
    }

    @Test
    void a_command_without_a_key_for_an_ordered_queue_is_refused_before_anything_is_written() {
        Outbox ordered =
                Outbox.in(store.outboxStore(), store.transactions(), OutboxOptions.DEFAULT.ordered("APP.CMD.**"));
        var command = new BookSeatCommand("A1", 1);
        var key = idempotencyKey("request-1");
        try (var sender = commandRuntime(AutoCommandHandlerRegistry.of(), ordered, CommandNaming.DEFAULT, RETRIES)) {
            store.transactions().inTransaction(transaction -> {
                assertThatThrownBy(() -> sender.bus().accept(command, key, BusinessKey.NONE))
                        .isInstanceOf(WaybillException.class)
                        .hasMessageContaining("'APP.CMD.BOOKSEAT.Q' keep an order")
                        .hasMessageContaining("businessKey(");
                return sender;
            });
            assertThat(store.statuses()).isEmpty();

            UUID id = sender.bus().accept(command, key, businessKey("hall"));
            assertThat(status(id)).isEqualTo(CommandStatus.PENDING);
        }
    }

    @Test
    void a_command_that_cannot_be_kept_is_put_among_the_failed_messages_and_holds_nobody_up() throws Exception {
        String queue = CommandNaming.DEFAULT.queueOf("BookSeat");
        var receiver = new CommandReceiver(
                        commandRuntime,
                        store.inbox(),
                        store.outboxStore(),
                        store.waitingKeys(),
                        store.failedStore(),
                        100,
                        InboxListener.NONE)
                .commands(queue);
        String seat = "{\"seat\":\"A1\",\"row\":1}";
        List<Delivery> batch = List.of(
                foreign(queue, "1", "key\0", Map.of(), seat),
                foreign(queue, "2", "k", Map.of("message-type", "t".repeat(300)), seat),
                foreign(queue, "3", "k", Map.of("idempotency-key", "i".repeat(300)), seat),
                foreign(queue, "4", "k", Map.of("reply-to", "r\0"), seat),
                foreign(queue, "5", "k", Map.of("command-id", "1-1-1-1-1"), seat),
                foreign(queue, "6", "k", Map.of(), "nul \0"),
                foreign(queue, "7", "k", Map.of("reply-to", " "), seat));

        receiver.receive(batch);
        receiver.receive(batch);
        relay.drain();

        assertThat(effects()).containsExactly("booked A1");
        assertThat(store.failedStore().list(FailedSelection.all(), 0, 10))
                .extracting(failed -> failed.message().headers().get("number"))
                .containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
    }

    private static Delivery foreign(
            String queue, String number, String key, Map<String, String> headers, String payload) {
        var all = new HashMap<>(Map.of("message-id", number, "number", number, "message-type", "BookSeat"));
        all.put("message-category", "command");
        all.putAll(headers);
        return new Delivery(queue, key, "", new WireMessage(all, payload.getBytes(UTF_8)));
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
    void a_command_whose_time_is_over_has_timed_out_and_does_not_run_any_more() {
        PendingReply reply = bus().send(
                        new BookSeatCommand("A1", 1),
                        idempotencyKey("request-1"),
                        BusinessKey.NONE,
                        CommandOptions.DEFAULT.timeout(Duration.ofSeconds(10)));
        assertThat(commandRuntime.expire(10)).isZero();
        store.clock().advance(Duration.ofSeconds(11));

        assertThat(commandRuntime.expire(10)).isEqualTo(1);
        relay.drain();

        assertThat(reply.await(A_MOMENT).reply()).isInstanceOf(CommandReply.TimedOut.class);
        assertThat(effects()).isEmpty();
        assertThat(commandRuntime.expire(10)).isZero();
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
            inAnotherThread(() -> commandRuntime.expire(10));
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
            Future<Optional<CommandRecord>> refusal = store.transactions().inTransaction(transaction -> {
                store.commandStore().end(transaction, id, 1, CommandStatus.COMPLETED, "{}");
                return thread.submit(() -> store.transactions()
                        .inTransaction(other -> store.commandStore().refuse(other, refused)));
            });

            assertThat(refusal.get())
                    .as("completed")
                    .hasValueSatisfying(done -> assertThat(done.status()).isEqualTo(CommandStatus.COMPLETED));
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
                try (var others = commandRuntime(AutoCommandHandlerRegistry.of(new Seats()));
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

    private void complete(List<UUID> ids) {
        store.transactions().inTransaction(transaction -> {
            store.outboxStore()
                    .finish(
                            transaction,
                            () -> ids.forEach(id -> store.commandStore().complete(transaction, id, 1, "{}")));
            return ids;
        });
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

    /** For good, whatever the application thinks of such errors. */
    public static final class SoldOutException extends IllegalStateException implements Permanent {
        SoldOutException() {
            super("sold out");
        }
    }

    @Test
    void which_errors_may_go_away_is_the_applications_to_say_unless_the_error_knows() {
        restart(CommandNaming.DEFAULT, RETRIES.when(IllegalStateException.class::isInstance));
        before = command -> {
            before = again -> {};
            throw new IllegalStateException("the door is shut");
        };
        UUID first = accept("A1", "request-1");
        outlast(relay, 1);
        before = command -> {
            before = again -> {};
            throw new SoldOutException();
        };
        UUID second = accept("A2", "request-2");
        outlast(relay, 1);

        assertThat(status(first)).isEqualTo(CommandStatus.COMPLETED);
        assertThat(status(second)).isEqualTo(CommandStatus.FAILED);
        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void an_error_that_does_not_go_away_fails_the_command_after_its_attempts_and_the_next_of_its_key_runs() {
        restart(CommandNaming.DEFAULT, RETRIES.maxAttempts(3));
        List<String> tried = new ArrayList<>();
        before = command -> {
            tried.add(command.seat());
            if (command.seat().equals("A1")) {
                throw new BusyException();
            }
        };
        PendingReply reply = bus().send(
                        new BookSeatCommand("A1", 1),
                        idempotencyKey("request-1"),
                        businessKey("hall"),
                        CommandOptions.DEFAULT);
        accept("A2", "request-2");

        outlast(relay, 3);

        assertThat(reply.await(A_MOMENT).reply()).isInstanceOf(CommandReply.Failed.class);
        assertThat(tried).containsExactly("A1", "A1", "A1", "A2");
        assertThat(effects()).containsExactly("booked A2");
        assertThat(store.statuses()).doesNotContainKeys("FAILED", "HELD", "PENDING");
    }

    @Test
    void of_a_batch_from_a_broker_each_command_has_a_commit_of_its_own() throws Exception {
        List<String> tried = failingLast(1);

        assertThat(tried).containsExactly("A1", "A2", "A3");
        relay.drain();
        assertThat(effects()).containsExactly("booked A1", "booked A2");
    }

    @Test
    void commands_from_a_broker_may_share_a_commit_and_are_repeated_when_one_of_them_fails() throws Exception {
        List<String> tried = failingLast(50);

        assertThat(tried).containsExactly("A1", "A2", "A3", "A1", "A2", "A3");
        relay.drain();
        assertThat(effects()).containsExactly("booked A1", "booked A2");
    }

    /** Which commands of a batch of three were run, in order, when the last one fails. */
    private List<String> failingLast(int messagesPerCommit) throws Exception {
        List<String> tried = new ArrayList<>();
        before = command -> {
            tried.add(command.seat());
            if (command.seat().equals("A3")) {
                throw new IllegalStateException("the seat is broken");
            }
        };
        String queue = CommandNaming.DEFAULT.queueOf("BookSeat");
        new CommandReceiver(
                        commandRuntime,
                        store.inbox(),
                        store.outboxStore(),
                        store.waitingKeys(),
                        store.failedStore(),
                        messagesPerCommit,
                        InboxListener.NONE)
                .commands(queue)
                .receive(Stream.of("A1", "A2", "A3")
                        .map(seat -> fromABroker(queue, seat))
                        .toList());
        return tried;
    }

    private static Delivery fromABroker(String queue, String seat) {
        Map<String, String> headers =
                Map.of(Headers.MESSAGE_ID, UUID.randomUUID().toString(), Headers.MESSAGE_TYPE, "BookSeat");
        byte[] payload = ("{\"seat\":\"" + seat + "\",\"row\":1}").getBytes(UTF_8);
        return new Delivery(queue, "", "", new WireMessage(headers, payload));
    }
}
