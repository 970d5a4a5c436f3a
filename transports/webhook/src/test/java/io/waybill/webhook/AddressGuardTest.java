package io.waybill.webhook;

import static io.waybill.webhook.HookServer.answering;
import static io.waybill.webhook.Samples.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

    private static final String PUBLIC = "93.184.216.34";

    private HookServer server;

    @BeforeEach
    void start() {
        server = HookServer.start();
        server.on("/hook", answering(204));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.100.100.200",
                "127.0.0.1",
                "127.255.255.254",
                "168.63.129.16",
                "169.254.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.168.0.1",
                "192.168.255.255",
                "198.18.0.1",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::127.0.0.1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:0:7f00:1",
                "64:ff9b::10.0.0.1",
                "64:ff9b::169.254.169.254",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:a9fe:a9fe::",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1",
                "ff0e::1"
            })
    void an_address_that_is_not_public_is_refused(String address) throws UnknownHostException {
        assertThat(AddressBlock.isPrivate(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                PUBLIC,
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.1.1.1",
                "128.0.0.1",
                "168.63.129.17",
                "169.253.1.1",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.1.1",
                "192.169.0.1",
                "198.17.1.1",
                "198.20.0.1",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "64:ff9b::8.8.8.8",
                "2606:4700::1111",
                "2a00:1450:4001:80b::200e",
                "2001:4860:4860::8888"
            })
    void an_address_that_is_public_is_not(String address) throws UnknownHostException {
        assertThat(AddressBlock.isPrivate(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"})
    void however_loopback_is_written_no_request_arrives(String host) {
        Outcome outcome = publish(Webhooks.at("http://" + host + ":" + server.port() + "/hook", Samples.SECRET));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        wrong -> assertThat(wrong.reason()).contains("allow-private=true"));
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void one_private_address_among_public_ones_is_enough() {
        var guard = new AddressGuard(
                host -> new InetAddress[] {InetAddress.getByName(PUBLIC), InetAddress.getByName("10.0.0.1")},
                AddressBlock::isPrivate);

        assertThat(publish(open(guard, "http://hooks.example/hook")))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        wrong -> assertThat(wrong.reason()).contains("hooks.example is 10.0.0.1"));
    }

    /** The name exists for the guard alone, so the request can only have gone to the address that was checked. */
    @Test
    void the_connection_goes_to_the_address_that_was_checked_and_the_name_is_resolved_once() {
        var resolved = new AtomicInteger();
        var guard = new AddressGuard(
                host -> {
                    resolved.incrementAndGet();
                    return new InetAddress[] {InetAddress.getLoopbackAddress()};
                },
                address -> false);
        Webhooks webhooks = open(guard, "http://hooks.invalid:" + server.port() + "/hook");

        assertThat(publish(webhooks)).isEqualTo(new Outcome.Accepted());

        assertThat(resolved).hasValue(1);
        assertThat(server.calls("/hook"))
                .extracting(call -> call.header("host"))
                .containsExactly("hooks.invalid:" + server.port());
    }

    @Test
    void a_name_that_moves_to_a_private_address_is_refused_from_then_on() throws UnknownHostException {
        var calls = new AtomicInteger();
        InetAddress moved = InetAddress.getByName("10.0.0.1");
        var guard = new AddressGuard(
                host -> new InetAddress[] {calls.incrementAndGet() == 1 ? InetAddress.getLoopbackAddress() : moved},
                moved::equals);
        Webhooks webhooks = open(guard, "http://hooks.invalid:" + server.port() + "/hook");

        assertThat(publish(webhooks)).isEqualTo(new Outcome.Accepted());
        assertThat(publish(webhooks)).isInstanceOf(Outcome.Misconfigured.class);
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void a_name_that_cannot_be_resolved_is_an_outage() {
        assertThat(publish(Webhooks.at("https://no-such-name.invalid/hook", Samples.SECRET)))
                .isEqualTo(new Outcome.Unavailable(
                        "https://no-such-name.invalid/hook has a name that cannot be resolved."));
    }

    private static Webhooks open(AddressGuard guard, String address) {
        return Webhooks.builder()
                .endpoint("**", address, Samples.SECRET)
                .route(guard)
                .build();
    }

    private static Outcome publish(Webhooks webhooks) {
        return webhooks.publisher("relay", WireFormat.PLAIN)
                .publish(List.of(message("orders", "1")), Deadline.NEVER)
                .get(0);
    }
}
