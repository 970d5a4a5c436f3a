package io.waybill.testkit.contract.framework;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.testkit.contract.framework.FrameworkFixture.FileCommand;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where the replies to commands of an application go: to a queue of its own, whichever framework it is made with. */
public abstract class FrameworkRepliesContract {

    /**
     * A new application on a new database.
     *
     * @param name what it is called; empty for no name
     * @param settings by their keys, {@code waybill.…}
     */
    protected abstract FrameworkFixture start(String name, Map<String, String> settings) throws Exception;

    @Test
    void the_reply_queue_contains_the_name_of_the_application() throws Exception {
        assertThat(replyQueue("order service", Map.of())).isEqualTo("APP.CMD.ORDER_SERVICE_REPLY.Q");
    }

    @Test
    void an_application_without_a_name_has_the_reply_queue_of_the_guide() throws Exception {
        assertThat(replyQueue("", Map.of())).isEqualTo("APP.CMD.REPLY.Q");
    }

    /** Section 8.3 of the guide names it among the queues that must exist. */
    @Test
    void required_queues_that_name_the_reply_queue_of_the_guide_keep_it() throws Exception {
        assertThat(replyQueue("orders", Map.of("waybill.mq.required-queues", "APP.CMD.FILE.Q, APP.CMD.REPLY.Q")))
                .isEqualTo("APP.CMD.REPLY.Q");
    }

    @Test
    void a_reply_queue_that_is_configured_goes_first() throws Exception {
        assertThat(replyQueue("orders", Map.of("waybill.commands.reply-queue", "APP.CMD.SHOP.Q")))
                .isEqualTo("APP.CMD.SHOP.Q");
    }

    @Test
    void a_reply_queue_that_does_not_fit_prefix_and_suffix_is_refused() {
        assertThatThrownBy(() -> replyQueue("orders", Map.of("waybill.commands.reply-queue", "replies")))
                .hasStackTraceContaining("reply-queue")
                .hasStackTraceContaining("APP.CMD.SHOP_REPLY.Q");
    }

    private String replyQueue(String name, Map<String, String> settings) throws Exception {
        try (FrameworkFixture application = start(name, settings)) {
            application.commandBus().accept(new FileCommand("letter"), idempotencyKey("letter"), businessKey("letter"));
            return replyTo(application);
        }
    }

    private static String replyTo(FrameworkFixture application) throws SQLException {
        try (var connection = application.dataSource().getConnection();
                var rows = connection.createStatement().executeQuery("SELECT headers FROM outbox")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1).replaceAll("(?s).*\"reply-to\":\"([^\"]*)\".*", "$1");
        }
    }
}
