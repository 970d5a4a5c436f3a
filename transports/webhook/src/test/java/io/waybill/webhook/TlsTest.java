package io.waybill.webhook;

import static io.waybill.webhook.HookServer.answering;
import static io.waybill.webhook.Samples.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    private static final String PASSWORD = "changeit";

    /** Has a certificate of its own making for localhost, and trusts it. */
    private static SSLContext context;

    @BeforeAll
    static void makeACertificate(@TempDir Path directory) throws Exception {
        context = contextFor("localhost", directory.resolve("hooks.p12"));
    }

    @Test
    void a_certificate_nobody_vouches_for_gives_one_clear_line_and_no_request() {
        try (var server = HookServer.startTls(context)) {
            server.on("/hook", answering(204));

            assertThat(publish(at("localhost", server)))
                    .isEqualTo(new Outcome.Misconfigured("https://localhost:" + server.port() + "/hook has a"
                            + " certificate that is not trusted: unable to find valid certification path to requested"
                            + " target."));
            assertThat(server.calls()).isEmpty();
        }
    }

    @Test
    void a_certificate_for_another_name_gives_one_clear_line_and_no_request() {
        try (var server = HookServer.startTls(context)) {
            server.on("/hook", answering(204));

            assertThat(publish(at("127.0.0.1", server).sslContext(context)))
                    .isInstanceOfSatisfying(
                            Outcome.Misconfigured.class,
                            wrong -> assertThat(wrong.reason())
                                    .startsWith("https://127.0.0.1:" + server.port() + "/hook has a certificate")
                                    .contains("127.0.0.1 found")
                                    .doesNotContain("\n"));
            assertThat(server.calls()).isEmpty();
        }
    }

    @Test
    void a_trusted_certificate_is_all_it_takes() {
        try (var server = HookServer.startTls(context)) {
            server.on("/hook", answering(204));

            assertThat(publish(at("localhost", server).sslContext(context))).isEqualTo(new Outcome.Accepted());
        }
    }

    @Test
    void a_port_that_answers_without_tls_is_a_misconfiguration() throws Exception {
        try (var server = PlainPort.answering("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")) {
            assertThat(publish(at("https", "localhost", server.port())))
                    .isInstanceOfSatisfying(
                            Outcome.Misconfigured.class,
                            wrong -> assertThat(wrong.reason())
                                    .startsWith("https://localhost:" + server.port()
                                            + "/hook and this JVM do not agree on TLS (")
                                    .endsWith("). Is the port one for TLS?")
                                    .doesNotContain("\n"));
        }
    }

    @Test
    void a_port_that_ends_the_connection_instead_may_come_back() throws Exception {
        try (var server = PlainPort.answering("")) {
            assertThat(publish(at("https", "localhost", server.port())))
                    .isEqualTo(new Outcome.Unavailable("https://localhost:" + server.port()
                            + "/hook ended the connection while TLS was being agreed on. Is the port one for TLS?"));
        }
    }

    @Test
    void a_server_that_waits_for_more_than_tls_may_come_back() {
        try (var server = HookServer.start()) {
            assertThat(publish(at("localhost", server).connectTimeout(Duration.ofMillis(300))))
                    .isEqualTo(new Outcome.Unavailable("https://localhost:" + server.port()
                            + "/hook cannot be connected to within 300 ms. Is the port one for TLS?"));
        }
    }

    @Test
    void a_port_for_tls_is_a_misconfiguration_without_it() throws Exception {
        try (var server = new PlainPort(context.getServerSocketFactory().createServerSocket(0), "")) {
            assertThat(publish(at("http", "localhost", server.port())))
                    .isEqualTo(new Outcome.Misconfigured("http://localhost:" + server.port()
                            + "/hook does not respond in HTTP. If this is its port for TLS, write https."));
        }
    }

    private static Webhooks.Builder at(String host, HookServer server) {
        return at("https", host, server.port());
    }

    private static Webhooks.Builder at(String scheme, String host, int port) {
        return Webhooks.builder()
                .endpoint("**", scheme + "://" + host + ":" + port + "/hook", Samples.SECRET)
                .allowPrivate();
    }

    private static Outcome publish(Webhooks.Builder webhooks) {
        return webhooks.build()
                .publisher("relay", WireFormat.PLAIN)
                .publish(List.of(message("orders", "1")), Deadline.NEVER)
                .get(0);
    }

    private static SSLContext contextFor(String name, Path file)
            throws IOException, InterruptedException, GeneralSecurityException {
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "hooks",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=dns:" + name,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("hooks", store.getCertificate("hooks"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
