package io.waybill.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CommandTypesTest {

    record CreateOrderCommand() implements DomainCommand {}

    record CreateOrder() implements DomainCommand {}

    record Command() implements DomainCommand {}

    private final UUID id = UUID.randomUUID();

    @Test
    void a_command_is_called_like_its_class_without_the_word_command() {
        assertThat(CommandTypes.of(CreateOrderCommand.class)).isEqualTo("CreateOrder");
    }

    @Test
    void a_class_whose_name_does_not_end_in_command_is_refused_with_that_rule() {
        assertThatThrownBy(() -> CommandTypes.of(CreateOrder.class))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("CreateOrderCommand for the type CreateOrder")
                .hasMessageContaining("Rename it to CreateOrderCommand");
        assertThatThrownBy(() -> CommandTypes.of(Command.class)).hasMessageContaining("its type followed by 'Command'");
    }

    @Test
    void a_failure_says_its_type_and_message_in_one_line() {
        assertThat(CommandReply.failed(id, id, new IllegalStateException("no funds"), CommandReply.Retry.BY_RULE)
                        .error())
                .isEqualTo("IllegalStateException: no funds");
        assertThat(CommandReply.failed(id, id, new IllegalStateException(), CommandReply.Retry.BY_RULE)
                        .error())
                .isEqualTo("IllegalStateException");
        assertThat(CommandReply.failed(id, id, "no funds").error()).isEqualTo("no funds");
    }

    @Test
    void an_answer_is_one_of_three() {
        CommandReply reply = CommandReply.completed(id, id, Map.of("orderId", 7));
        String kind = reply.fold(done -> "done " + done.data().get("orderId"), failed -> "failed", late -> "late");
        assertThat(kind).isEqualTo("done 7");
    }
}
