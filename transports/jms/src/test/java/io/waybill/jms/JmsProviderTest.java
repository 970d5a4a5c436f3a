package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.jms.client.IbmMqSettings;
import io.waybill.testkit.Numbered;
import io.waybill.transport.Deadline;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmsProviderTest {

    @ParameterizedTest
    @CsvSource({
        "jms+artemis://u:secret@host?queue=a, queue",
        "jms+artemis://u:secret@host/queue, path",
        "jms+artemis://u:secret@host?tls=yes, neither true nor false",
        "jms+artemis://u:secret@host?timeout-seconds=soon, no number",
        "jms+artemis://u:secret@host?timeout-seconds=0, longer than zero",
        "jms+artemis:host, names no host",
        "jms+ibmmq://u:secret@host/QM1, names no channel",
        "jms+ibmmq://u:secret@host:x/QM1?channel=C, host:x",
        "jms+ibmmq://u:secret@host/QM1?channel=C&tls=true, tls",
        "jms+ibmmq://u:secret@host/QM1?channel=C&queue-prefix=A-B, A-B",
    })
    void a_url_that_cannot_work_is_refused_with_the_reason(String url, String reason) {
        assertThatThrownBy(() -> Transports.open(url))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("secret");
    }

    @Test
    void addresses_in_code_are_checked_as_those_of_a_url_are() {
        refused(() -> Jms.artemis("tcp://one:99999?keyStorePassword=secret"), "'tcp://one:99999' has the port '99999'");
        refused(
                () -> Jms.artemis("(tcp://one:61616,tcp://two:x)?ha=true"),
                "'(tcp://one:***' has the port '***'. A port is a number");
        refused(() -> Jms.artemis("tcp://:61616"), "'tcp://:61616' has ':61616' where a host belongs");
        refused(() -> IbmMqSettings.at("one", 99999, "QM1", "C"), "'one:99999' has the port '99999'");
        refused(() -> IbmMqSettings.at("", 1414, "QM1", "C"), "':1414' has ':1414' where a host belongs");
    }

    private static void refused(ThrowingCallable call, String reason) {
        assertThatThrownBy(call).isInstanceOf(WaybillException.class).hasMessageStartingWith(reason);
    }

    @Test
    void a_connection_factory_of_ones_own_is_used() {
        String queue = TestBroker.SHARED.newQueue();

        try (var jms = Jms.with(TestBroker.SHARED.client());
                var publisher = jms.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(Numbered.messages(queue, 1, 0, 3), Deadline.NEVER))
                    .containsOnly(Numbered.ACCEPTED);
        }

        assertThat(new ArtemisFixture().contents(queue)).hasSize(3);
    }

    @Test
    void a_broker_is_named_without_credentials() {
        try (var artemis =
                Transports.open("jms+artemis://u:secret@one,two:61617?tls=true&trust-store-password=secret")) {
            assertThat(artemis).hasToString("Artemis at (tcp://one:61616,tcp://two:61617) (TLS)");
        }
        try (var mq = Transports.open("jms+ibmmq://u:secret@one:1415,two/QM1?channel=DEV.APP.SVRCONN")) {
            assertThat(mq).hasToString("IBM MQ at one:1415,two, queue manager QM1, channel DEV.APP.SVRCONN");
        }
    }
}
