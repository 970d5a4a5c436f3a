package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.runtime.ConsumerOrder;
import org.junit.jupiter.api.Test;

/** Which brokers keep the order of a key among several consumers. Nothing is connected to. */
final class ConsumerOrderTest {

    @Test
    void several_consumers_keep_the_order_where_the_broker_sees_to_it() {
        var ten = new ConsumerOrder(10);

        assertThat(ten.isKeptBy("kafka://localhost:9092")).isTrue();
        assertThat(ten.isKeptBy("jms+artemis://localhost:61616")).isTrue();
        assertThat(ten.isKeptBy("amqp://localhost?single-active-consumer=true")).isTrue();
        assertThat(ten.isKeptBy("amqp://localhost")).isFalse();
        assertThat(new ConsumerOrder(1).isKeptBy("amqp://localhost")).isTrue();
    }

    @Test
    void one_warning_names_a_broker_that_does_not() {
        try (var lines = LogLines.of(ConsumerOrder.class.getName())) {
            var ten = new ConsumerOrder(10);
            assertThat(ten.isKeptOrWarned("amqp://me:secret@localhost")).isFalse();
            assertThat(ten.isKeptOrWarned("amqp://me:secret@localhost")).isFalse();

            assertThat(lines.with("WB-607")).singleElement().asString().doesNotContain("secret");
        }
    }
}
