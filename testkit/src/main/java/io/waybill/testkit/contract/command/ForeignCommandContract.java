package io.waybill.testkit.contract.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a worker does with commands that a broker has brought, and that their sender may give up. */
public abstract class ForeignCommandContract extends CommandScenario {

    private final UUID command = UUID.randomUUID();

    @Test
    void a_command_that_was_refused_before_it_came_never_runs() {
        receive(refusal());
        relay.drain();
        assertThat(broker.payloads()).singleElement().asString().contains("COMPLETED", "\"refused\":true");

        receive(booking(1));
        receive(booking(2));
        relay.drain();

        assertThat(effects()).isEmpty();
        assertThat(broker.payloads()).hasSize(3).last().asString().contains("FAILED", "gave it up");
    }

    @Test
    void whoever_asks_whether_a_command_was_done_gets_its_reply() {
        receive(booking(1));
        receive(refusal());
        relay.drain();

        assertThat(effects()).containsExactly("booked A1");
        assertThat(broker.payloads()).hasSize(2).last().asString().contains("\"refused\":false", "T-A1");
    }

    @Test
    void a_command_that_was_done_is_not_said_to_have_failed() {
        receive(booking(1));
        store.transactions().inTransaction(transaction -> {
            commandRuntime.replyWithFailure(booking(2), new IllegalStateException("out of memory"), transaction);
            return command;
        });
        relay.drain();

        assertThat(effects()).containsExactly("booked A1");
        assertThat(broker.payloads()).hasSize(2).last().asString().contains("COMPLETED", "T-A1");
    }

    @Test
    void a_reply_to_a_command_that_was_never_sent_from_here_is_not_taken() {
        var reply = new Envelope(
                UUID.randomUUID(),
                Category.REPLY,
                "BookSeat",
                commandRuntime.replyQueue(),
                "",
                "",
                Payload.text("{\"status\":\"COMPLETED\",\"data\":{}}"),
                Map.of("command-id", command.toString()));
        assertThatThrownBy(() -> store.transactions().inTransaction(transaction -> {
                    commandRuntime.takeReply(reply, transaction);
                    return reply;
                }))
                .hasMessageContaining("This database never sent the command " + command);
    }

    private void receive(Envelope message) {
        store.transactions().inTransaction(transaction -> {
            try {
                commandRuntime.received(message, transaction);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return message;
        });
    }

    private Envelope booking(int attempt) {
        return message(
                "{\"seat\":\"A1\",\"row\":1}",
                Map.of(
                        "command-id", command.toString(),
                        "command-attempt", String.valueOf(attempt),
                        "idempotency-key", "process:step"));
    }

    private Envelope refusal() {
        return message("{}", Map.of("command-id", UUID.randomUUID().toString(), "command-refuses", command.toString()));
    }

    private static Envelope message(String payload, Map<String, String> headers) {
        var all = new HashMap<>(headers);
        all.put("reply-to", "answers");
        return new Envelope(
                UUID.randomUUID(),
                Category.COMMAND,
                "BookSeat",
                "APP.CMD.BOOKSEAT.Q",
                "",
                "",
                Payload.text(payload),
                all);
    }
}
