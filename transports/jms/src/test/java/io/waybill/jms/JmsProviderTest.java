package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.testkit.Numbered;
import io.waybill.transport.Transports;
import io.waybill.transport.WireFormat;
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
    void a_connection_factory_of_ones_own_is_used() {
        String queue = TestBroker.SHARED.newQueue();

        try (var jms = Jms.with(TestBroker.SHARED.client());
                var publisher = jms.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(Numbered.messages(queue, 1, 0, 3), () -> false))
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
