package io.waybill.testkit.contract.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.PayloadCodec;
import io.waybill.process.ProcessManager;
import io.waybill.process.message.ProcessMessage.StartProcess;
import io.waybill.process.message.ProcessMessageJson;
import io.waybill.process.message.StartRefusedException;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessStatus;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is promised about processes that an operator outside of the application has started. */
public abstract class ProcessStartContract extends ProcessScenario {

    @Test
    void a_node_with_the_definition_starts_the_process_and_its_log_says_who_wanted_it() {
        UUID id = UUID.randomUUID();

        assertThat(manager.onMessage(start(id, 0, "order-1", DATA))).isTrue();

        assertThat(status(id)).isEqualTo(ProcessStatus.RUNNING);
        assertThat(fixture.store().findById(id).orElseThrow().businessKey()).isEqualTo("order-1");
        assertThat(log(id))
                .anyMatch(text -> text.contains("start") && text.contains("ann") && text.contains("by hand"));
        commands.replyToAll(manager, "");
        assertThat(status(id)).isEqualTo(ProcessStatus.SUCCEEDED);
    }

    @Test
    void there_is_one_process_for_each_type_and_business_key_however_often_it_is_started() {
        UUID first = manager.startProcess(SHOP, "order-1", DATA);
        int events = log(first).size();
        UUID second = UUID.randomUUID();

        assertThat(manager.onMessage(start(second, 0, "order-1", Map.of()))).isTrue();

        assertThat(fixture.store().findById(second)).isEmpty();
        assertThat(log(first)).hasSize(events);
        assertThat(commands.sent).hasSize(1);
    }

    @Test
    void a_node_starts_the_version_that_was_asked_for_or_leaves_the_request_to_others() {
        ProcessManager both = manager(new Shop(1, "Pack"), new Shop(2, "Wrap"));
        UUID latest = UUID.randomUUID();
        UUID first = UUID.randomUUID();
        both.onMessage(start(latest, 0, "order-1", DATA));
        both.onMessage(start(first, 1, "order-2", DATA));

        assertThat(fixture.store().read(latest).orElseThrow().version()).isEqualTo(2);
        assertThat(fixture.store().read(first).orElseThrow().version()).isEqualTo(1);
        assertThat(manager.onMessage(start(UUID.randomUUID(), 7, "order-3", DATA)))
                .isFalse();
        assertThat(manager.onMessage(new StartProcess(UUID.randomUUID(), "Nothing", 0, "x", Map.of(), "ann", "")))
                .isFalse();
    }

    @Test
    void what_no_node_can_start_is_refused_and_not_tried_again() {
        assertThatThrownBy(() -> manager.onMessage(start(UUID.randomUUID(), 0, " ", DATA)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("needs a business key");
    }

    @Test
    void a_request_to_start_goes_to_nodes_that_have_the_version_and_is_read_as_it_was_written() {
        var json = new ProcessMessageJson(PayloadCodec.found());
        StartProcess any = start(UUID.randomUUID(), 0, "order-1", Map.of("guest", "Zoë"));
        StartProcess second = start(UUID.randomUUID(), 2, "order-1", Map.of());

        assertThat(json.message(any).seal(UUID::randomUUID).destination()).isEqualTo("waybill.process.Shop.any");
        assertThat(json.message(second).seal(UUID::randomUUID).destination()).isEqualTo("waybill.process.Shop.2");
        assertThat(json.read(json.message(any).seal(UUID::randomUUID).payload()))
                .isEqualTo(any);
    }

    private static StartProcess start(UUID id, int version, String key, Map<String, Object> data) {
        return new StartProcess(id, SHOP, version, key, data, "ann", "by hand");
    }

    private List<String> log(UUID id) {
        return fixture.store().findByProcessId(id).stream()
                .map(ProcessEvent::text)
                .toList();
    }
}
