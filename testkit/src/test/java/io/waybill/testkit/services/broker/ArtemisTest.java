package io.waybill.testkit.services.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;

class ArtemisTest {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final Artemis artemis = Artemis.shared();

    @Test
    void a_message_sent_is_received() {
        assertThat(roundTrip(artemis.connectionFactory(), artemis.newQueue())).isEqualTo("hello");
    }

    @Test
    void a_message_goes_through_the_jvm_as_well() {
        try (var factory = new ActiveMQConnectionFactory(artemis.vmUrl())) {
            assertThat(roundTrip(factory, artemis.newQueue())).isEqualTo("hello");
        }
    }

    @Test
    void two_queues_do_not_see_each_other() {
        String one = artemis.newQueue();
        String other = artemis.newQueue();
        try (var context = artemis.connectionFactory().createContext()) {
            context.createProducer().send(context.createQueue(one), "for one");

            assertThat(context.createConsumer(context.createQueue(other)).receiveNoWait())
                    .isNull();
        }
    }

    @Test
    void a_private_broker_is_gone_when_closed_and_the_shared_one_is_not() {
        String url;
        try (var own = Artemis.start()) {
            url = own.url();
            assertThat(url).isNotEqualTo(artemis.url());
            assertThat(roundTrip(own.connectionFactory(), own.newQueue())).isEqualTo("hello");
        }
        try (var factory = new ActiveMQConnectionFactory(url)) {
            assertThatThrownBy(factory::createConnection).isInstanceOf(JMSException.class);
        }
        assertThat(roundTrip(artemis.connectionFactory(), artemis.newQueue())).isEqualTo("hello");
    }

    @Test
    void a_broker_that_was_closed_is_not_kept_in_memory() {
        var closed = new WeakReference<>(Artemis.start());
        Objects.requireNonNull(closed.get()).close();

        await().until(() -> {
            System.gc();
            return closed.get() == null;
        });
    }

    private static String roundTrip(ConnectionFactory factory, String queue) {
        try (var context = factory.createContext()) {
            context.createProducer().send(context.createQueue(queue), "hello");
            return context.createConsumer(context.createQueue(queue)).receiveBody(String.class, TIMEOUT_MILLIS);
        }
    }
}
