package io.waybill.jms.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import org.junit.jupiter.api.Test;

class QueueNamesTest {

    private final QueueNames names = new QueueNames("APP.CMD", "Q");

    @Test
    void a_type_becomes_a_queue_by_the_convention() {
        assertThat(names.of("CreateOrder")).isEqualTo("APP.CMD.CREATEORDER.Q");
        assertThat(new QueueNames("", "Q").of("orders.placed")).isEqualTo("ORDERS.PLACED.Q");
    }

    @Test
    void what_is_named_by_the_convention_stays() {
        assertThat(names.of("APP.CMD.REPLY.Q")).isEqualTo("APP.CMD.REPLY.Q");
    }

    @Test
    void without_a_convention_a_destination_is_its_queue() {
        assertThat(QueueNames.AS_GIVEN.of("orders.placed-2")).isEqualTo("orders.placed-2");
    }

    @Test
    void a_name_that_no_queue_manager_takes_is_refused() {
        assertThatThrownBy(() -> names.of("Create Order"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("APP.CMD.CREATE ORDER.Q");
        assertThatThrownBy(() -> names.of("x".repeat(48)))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("48");
        assertThatThrownBy(() -> new QueueNames("APP CMD", "Q"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("APP CMD");
    }
}
