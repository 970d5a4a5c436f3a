package io.waybill.testkit.contract.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.command.IdempotencyConflictException;
import io.waybill.command.store.CommandStatus;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.submission.CommandSubmission;
import io.waybill.ops.submission.CommandSubmission.Request;
import io.waybill.ops.submission.CommandSubmission.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is promised about commands that somebody sends who has neither their classes nor their handlers. */
public abstract class CommandSubmissionContract extends CommandScenario {

    private static final List<String> SERVED = List.of("=APP.CMD.BOOKSEAT.Q\n=APP.CMD.REPLY.Q");

    @Test
    void a_command_that_is_sent_by_its_type_runs_once_like_those_of_the_application() {
        Result first = submission(SERVED).accept(book("A1", "request-1"));
        Result second = submission(SERVED).accept(book("A1", "request-1"));
        relay.drain();

        assertThat(second.commandId()).isEqualTo(first.commandId());
        assertThat(first.queue()).isEqualTo("APP.CMD.BOOKSEAT.Q");
        assertThat(first.warning()).isEmpty();
        assertThat(effects()).containsExactly("booked A1");
        assertThat(status(first.commandId())).isEqualTo(CommandStatus.COMPLETED);
    }

    @Test
    void a_key_that_belongs_to_another_command_is_refused() {
        submission(SERVED).accept(book("A1", "request-1"));

        assertThatThrownBy(() -> submission(SERVED).accept(book("B2", "request-1")))
                .isInstanceOf(IdempotencyConflictException.class)
                .hasMessageContaining("Duplicate idempotency key: request-1");
        relay.drain();
        assertThat(effects()).containsExactly("booked A1");
    }

    @Test
    void a_command_that_nobody_handles_waits_and_the_sender_is_warned() {
        Result result = submission(SERVED).accept(new Request("BookSeats", "request-1", "", "{}", Map.of(), ""));

        assertThat(result.warning())
                .contains("serves APP.CMD.BOOKSEATS.Q", "waits until one does", "Did you mean 'APP.CMD.BOOKSEAT.Q'?");
        assertThat(status(result.commandId())).isEqualTo(CommandStatus.PENDING);
    }

    @Test
    void a_command_goes_to_the_queue_by_which_its_application_calls_it() {
        restart(new CommandNaming("SHOP.COMMANDS", "IN", Map.of()), RETRIES);

        Result found = submission(List.of("=SHOP.COMMANDS.BOOKSEAT.IN")).accept(book("A1", "request-1"));
        Result named = submission(List.of())
                .accept(new Request(
                        "BookSeat",
                        "request-2",
                        "",
                        "{\"seat\":\"B2\",\"row\":1}",
                        Map.of(),
                        "SHOP.COMMANDS.BOOKSEAT.IN"));
        relay.drain();

        assertThat(found.queue()).isEqualTo(named.queue()).isEqualTo("SHOP.COMMANDS.BOOKSEAT.IN");
        assertThat(effects()).containsExactlyInAnyOrder("booked A1", "booked B2");
    }

    @Test
    void what_cannot_be_a_command_is_refused_before_anything_is_written() {
        assertThatThrownBy(() -> submission(SERVED).accept(new Request("BookSeat", " ", "", "{}", Map.of(), "")))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("idempotency key");
        assertThatThrownBy(() -> submission(SERVED).accept(new Request("BookSeat", "a", "", "{no", Map.of(), "")))
                .isInstanceOf(WaybillException.class);
        assertThatThrownBy(() -> submission(SERVED).accept(new Request("BookSeat", "a", "", "{}", Map.of(), "q")))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("{prefix}.{NAME}.{suffix}");
        assertThat(store.statuses()).isEmpty();
    }

    private CommandSubmission submission(List<String> served) {
        return new CommandSubmission(
                store.commandStore(), store.outbox(), store.transactions(), PayloadCodec.found(), () -> served);
    }

    private static Request book(String seat, String key) {
        return new Request("BookSeat", key, "hall", "{\"seat\":\"" + seat + "\",\"row\":1}", Map.of(), "");
    }
}
