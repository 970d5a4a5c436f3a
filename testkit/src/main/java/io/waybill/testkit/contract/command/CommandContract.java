package io.waybill.testkit.contract.command;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandReply;
import io.waybill.command.IdempotencyConflictException;
import io.waybill.command.PendingReply;
import io.waybill.command.store.CommandStatus;
import io.waybill.message.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is promised to who sends a command, with handlers in the same process. */
public abstract class CommandContract extends CommandScenario {

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
                .isInstanceOf(IdempotencyConflictException.class)
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
    void a_payload_that_its_command_refuses_is_refused_at_the_call_with_field_and_value() {
        assertThatThrownBy(() -> bus().accept("BookSeat", "k", "", "{\"seat\":\"A1\",\"row\":0}", Map.of()))
                .hasMessageContaining("row must be at least 1, but is 0");
        UUID id = bus().accept("BookSeat", "k", "", "{\"seat\":\"A1\",\"row\":1}", Map.of());

        relay.drain();

        assertThat(status(id)).as("its key is free").isEqualTo(CommandStatus.COMPLETED);
        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void what_cannot_be_sent_is_refused_before_there_is_a_row_so_that_a_caller_may_go_on() {
        String good = "{\"name\":\"A1\"}";
        store.transactions().inTransaction(transaction -> {
            assertRefused("not JSON", () -> bus().accept("Elsewhere", "k", "b", "{not json", Map.of()));
            assertRefused("message type", () -> bus().accept("E".repeat(256), "k", "b", good, Map.of()));
            assertRefused("U+0000", () -> bus().accept("Elsewhere", "k", "b", good, Map.of("h", "a\0b")));
            assertRefused("partition key is empty", () -> bus().accept("Elsewhere", "k", "  ", good, Map.of()));
            assertRefused("U+0000", () -> bus().accept("Elsewhere", "k", "a\0b", good, Map.of()));
            assertRefused("U+0000", () -> bus().accept("Elsewhere", "k\0", "b", good, Map.of()));
            return transaction;
        });

        UUID id = bus().accept("Elsewhere", "k", "b", good, Map.of());

        assertThat(claimAll()).as("the key was free").hasSize(1);
        assertThat(status(id)).isEqualTo(CommandStatus.PENDING);
    }

    private static void assertRefused(String reason, ThrowingCallable accept) {
        assertThatThrownBy(accept).isInstanceOf(WaybillException.class).hasMessageContaining(reason);
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
    void a_handler_that_returns_a_number_answers_with_its_value() {
        PendingReply reply = bus().send(new CountSeatsCommand(2), idempotencyKey("request-1"));
        CompletableFuture<CommandStatus> heard = reply.future().thenApply(answer -> status(answer.commandId()));

        relay.drain();

        assertThat(reply.await(A_MOMENT).as(Integer.class)).isEqualTo(6);
        assertThat(reply.await(A_MOMENT).reply())
                .isEqualTo(CommandReply.completed(reply.commandId(), reply.commandId(), Map.of("value", 6)));
        assertThat(heard).succeedsWithin(A_MOMENT).isEqualTo(CommandStatus.COMPLETED);
    }

    @Test
    void a_command_goes_to_the_queue_of_its_type_with_its_headers_in_order_of_its_business_key() {
        bus().accept("BookSeat", "k", "hall", "{\"seat\":\"A1\",\"row\":1}", Map.of("tenant", "blue"));

        Envelope message = claimAll().get(0).envelope();

        assertThat(message.destination()).isEqualTo("APP.CMD.BOOKSEAT.Q");
        assertThat(message.partitionKey()).isEqualTo("hall");
        assertThat(message.headers()).containsEntry("tenant", "blue").containsEntry("reply-to", "APP.CMD.REPLY.Q");
    }

    @Test
    void commands_of_two_types_that_share_a_queue_run_in_order_about_one_thing() {
        restart(CommandNaming.DEFAULT.together("SEATS", BookSeatCommand.class, FreeSeatCommand.class), RETRIES);
        before = command -> {
            before = again -> {};
            throw new BusyException();
        };
        accept("A1", "request-1");
        bus().accept(new FreeSeatCommand("A1"), idempotencyKey("request-2"), businessKey("hall"));

        outlast(relay, 1);

        assertThat(effects()).containsExactly("booked A1", "freed A1");
    }
}
