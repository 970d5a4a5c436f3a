package io.waybill.testkit.services.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.MessageProperties;
import io.waybill.testkit.services.broker.Rabbit.Kind;
import io.waybill.testkit.services.host.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RabbitTest {

    @Test
    void whichever_broker_is_chosen_carries_a_message() throws Exception {
        assertCarriesAMessage(Rabbit.shared());
    }

    @Test
    void qpid_in_this_jvm_carries_a_message() throws Exception {
        try (var rabbit = RabbitChoice.qpid()) {
            assertThat(rabbit.kind()).isEqualTo(Kind.QPID);
            assertCarriesAMessage(rabbit);
        }
    }

    @Test
    void an_installed_rabbitmq_carries_a_message() throws Exception {
        assumeTrue(
                RabbitProcess.command().isPresent(),
                "NOT TESTED: a RabbitMQ process of our own, because rabbitmq-server is not installed");
        try (var rabbit = RabbitChoice.ownProcess()) {
            assertThat(rabbit.kind()).isEqualTo(Kind.PROCESS);
            assertCarriesAMessage(rabbit);
        }
    }

    @Test
    void a_server_that_is_named_is_used_and_keeps_no_queue() throws Exception {
        try (var qpid = RabbitChoice.qpid()) {
            String queue;
            try (var rabbit = RabbitChoice.choose(qpid.url())) {
                assertThat(rabbit.kind()).isEqualTo(Kind.NAMED);
                assertThat(rabbit.url()).isEqualTo(qpid.url());
                queue = rabbit.newQueue();
            }
            try (var connection = Rabbit.connect(qpid.url())) {
                Channel channel = connection.createChannel();
                assertThatThrownBy(() -> channel.queueDeclarePassive(queue)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void a_server_that_is_named_and_does_not_answer_is_not_replaced_by_another() {
        String nobody = "amqp://user:secret@127.0.0.1:" + FreePort.next();

        assertThatThrownBy(() -> RabbitChoice.choose(nobody))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Rabbit.URL_VARIABLE)
                .hasMessageContaining("127.0.0.1")
                .hasMessageNotContaining("secret");
    }

    @Test
    void when_all_fail_the_error_names_them_in_order() {
        Supplier<Rabbit> first = () -> {
            throw new IllegalStateException("first: refused");
        };
        Supplier<Rabbit> second = () -> {
            throw new IllegalStateException("second: not installed");
        };

        assertThatThrownBy(() -> RabbitChoice.firstOf(List.of(first, second)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("1. first: refused", "2. second: not installed", Rabbit.URL_VARIABLE);
    }

    private static void assertCarriesAMessage(Rabbit rabbit) throws Exception {
        String queue = rabbit.newQueue();
        byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
        try (var connection = Rabbit.connect(rabbit.url());
                var channel = connection.createChannel()) {
            channel.confirmSelect();
            var returned = new ArrayBlockingQueue<String>(1);
            channel.addReturnListener(message -> returned.add(message.getRoutingKey()));

            channel.basicPublish("", queue, true, MessageProperties.PERSISTENT_BASIC, body);
            channel.waitForConfirmsOrDie(TimeUnit.SECONDS.toMillis(10));
            assertThat(channel.basicGet(queue, true).getBody()).isEqualTo(body);

            channel.basicPublish("", "no-such-queue", true, MessageProperties.PERSISTENT_BASIC, body);
            assertThat(returned.poll(10, TimeUnit.SECONDS)).isEqualTo("no-such-queue");
        }
    }
}
