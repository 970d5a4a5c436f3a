package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.transport.Outcome;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** TLS on both sides, and on one only. */
class ArtemisTlsTest extends ArtemisScenario {

    @Test
    void tls_carries_messages() {
        String queue = broker.newQueue();
        try (Transport tls = tls(
                broker.tlsPort(),
                "&trust-store=" + broker.store() + "&trust-store-password=" + TestBroker.STORE_PASSWORD)) {
            assertThat(publish(tls, message(queue, "key", 1))).containsExactly(new Outcome.Accepted());
        }
        assertThat(numbers(queue)).containsExactly(1);
    }

    @Test
    void a_plain_connection_to_a_tls_port_and_an_untrusted_certificate_are_told_in_one_line() {
        try (Transport plain = Transports.open("jms+artemis://127.0.0.1:" + broker.tlsPort() + "?timeout-seconds=2");
                Transport untrusted = tls(broker.tlsPort(), "")) {
            assertMismatch(plain);
            assertMismatch(untrusted);
        }
    }

    /** Ten seconds, which is how long the client waits for the answer to its TLS greeting: only with -Pfull. */
    @Test
    @EnabledIfSystemProperty(named = "waybill.transport.cuts", matches = "\\d+")
    void tls_to_a_plain_port_is_told_in_one_line() {
        try (Transport tls = tls(broker.port(), "")) {
            assertMismatch(tls);
        }
    }

    private static void assertMismatch(Transport transport) {
        assertThat(publish(transport, message("orders", "key", 1)).get(0))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        away -> assertThat(away.reason())
                                .contains("Artemis at tcp://127.0.0.1:", "TLS")
                                .doesNotContain("\n", TestBroker.PASSWORD));
    }

    private static Transport tls(int port, String parameters) {
        return Transports.open(
                "jms+artemis://app:pa%3Ass%40w0rd@127.0.0.1:" + port + "?timeout-seconds=2&tls=true" + parameters);
    }
}
