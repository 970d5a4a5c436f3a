package io.waybill.server.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.server.relay.RelayService;
import io.waybill.server.relay.RelayServiceContract;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A PostgreSQL that offers TLS, and asks whoever does not come from this machine's loopback for a password. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabaseTlsTest {

    private static final String SECRET = "tls-S3cret";
    private static final String STORE_PASSWORD = "changeit";

    @TempDir
    static Path directory;

    private final Optional<String> elsewhere = notLoopback();
    private Path authority;
    private Path otherAuthority;
    private Postgres server;
    private TestDatabase database;

    @SuppressWarnings("NullAway.Init")
    DatabaseTlsTest() {}

    @BeforeAll
    void start() throws Exception {
        authority = certificate("server");
        otherAuthority = certificate("other");
        Path users = Files.writeString(
                directory.resolve("pg_hba.conf"),
                "host all postgres 127.0.0.1/32 trust\nhost all postgres ::1/128 trust\nhost all all all scram-sha-256\n");
        server = Postgres.start(Map.of(
                "ssl", "on",
                "ssl_cert_file", authority.toString(),
                "ssl_key_file", directory.resolve("server.key").toString(),
                "hba_file", users.toString(),
                "listen_addresses",
                        "localhost" + elsewhere.map(address -> "," + address).orElse("")));
        database = server.newDatabase();
        Cli.run("schema", "apply", "--db", RelayServiceContract.url(database));
        database.execute("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD '" + SECRET + "'");
    }

    @AfterAll
    void end() {
        database.close();
        server.close();
    }

    @Test
    void the_doctor_says_that_a_connection_is_encrypted_as_the_url_demands() {
        Cli healthy = doctor("localhost", "?sslmode=verify-full&sslrootcert=" + authority);

        assertThat(tls(healthy)).contains("ok", "TLSv1", "as the URL demands");
    }

    @Test
    void the_doctor_says_that_a_connection_is_not_encrypted_or_need_not_be() {
        assertThat(tls(doctor("127.0.0.1", "?sslmode=disable")))
                .contains("ok", "not encrypted; no password leaves this machine");
        assertThat(tls(doctor("127.0.0.1", ""))).contains("ok", "TLSv1", "though the URL does not demand it");
    }

    @Test
    void a_certificate_of_another_authority_or_for_another_name_is_refused_and_said() {
        Cli untrusted = doctor("localhost", "?sslmode=verify-full&sslrootcert=" + otherAuthority);
        Cli otherName = doctor("127.0.0.1", "?sslmode=verify-full&sslrootcert=" + authority);

        assertThat(untrusted.exitCode()).isEqualTo(4);
        assertThat(untrusted.out())
                .contains("The certificate of the database", "is not accepted: SSL error", "sslrootcert")
                .doesNotContain(SECRET);
        assertThat(otherName.exitCode()).isEqualTo(4);
        assertThat(otherName.out())
                .contains("The certificate of the database", "127.0.0.1 could not be verified")
                .doesNotContain(SECRET);
    }

    @Test
    void a_password_that_may_travel_in_clear_to_another_host_is_warned_of_once_and_its_messages_are_sent()
            throws Exception {
        assumeTrue(elsewhere.isPresent(), "NOT TESTED: a host that is not loopback, because this machine has none");
        String host = elsewhere.orElseThrow();
        String warning = "The password for postgresql://" + host + ":" + server.port();

        assertThat(tls(doctor(host, ""))).contains("warn", warning, "may travel over a connection without TLS");
        assertThat(doctor(host, "").out()).contains("This connection happens to be encrypted.");
        assertThat(tls(doctor(host, "?sslmode=disable"))).contains("warn", warning);
        assertThat(doctor(host, "?sslmode=disable").out()).doesNotContain("happens to be encrypted");
        assertThat(tls(doctor(host, "?sslmode=require"))).contains("ok", "as the URL demands");
        assertThat(warnings(host, ""))
                .singleElement()
                .asString()
                .contains(warning)
                .doesNotContain(SECRET);
        assertThat(warnings(host, "?sslmode=require")).isEmpty();
    }

    /** What a service warns of while it sends a message, and is given its configuration a second time. */
    private List<String> warnings(String host, String options) throws Exception {
        var logged = new ListAppender<ILoggingEvent>();
        logged.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(logged);
        Path file = directory.resolve("sent-" + options.length() + ".ndjson");
        database.execute("INSERT INTO outbox (destination, payload) VALUES ('orders', '1')");
        var config = RelayConfigFile.parse("relay.yaml", Cli.filled("""
                sources: [{name: shop, db: "%s"}]
                routes: [{to: "file:%s"}]
                """, url(host, options), file), name -> null);
        try (var service = RelayService.start(config)) {
            Eventually.is(() -> assertThat(Files.readAllLines(file)).hasSize(1));
            service.serve(config);
        } finally {
            root.detachAppender(logged);
        }
        return logged.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("WB-130"))
                .toList();
    }

    private Cli doctor(String host, String options) {
        return Cli.run("doctor", "--db", url(host, options));
    }

    private String url(String host, String options) {
        String name = database.jdbcUrl().substring(database.jdbcUrl().lastIndexOf('/') + 1);
        return "postgresql://guarded:" + SECRET + "@" + host + ":" + server.port() + "/" + name + options;
    }

    private static String tls(Cli doctor) {
        return doctor.out()
                .lines()
                .filter(line -> line.contains(" tls "))
                .findFirst()
                .orElse("no line about TLS: " + doctor.out() + doctor.err());
    }

    /** Makes a key and a certificate that vouches for itself, as PEM; returns the certificate. */
    private Path certificate(String name) throws Exception {
        Path store = directory.resolve(name + ".p12");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        name,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        STORE_PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, STORE_PASSWORD.toCharArray());
        }
        Path key = directory.resolve(name + ".key");
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        pem(key, "PRIVATE KEY", keys.getKey(name, STORE_PASSWORD.toCharArray()).getEncoded());
        return pem(
                directory.resolve(name + ".crt"),
                "CERTIFICATE",
                keys.getCertificate(name).getEncoded());
    }

    private static Path pem(Path file, String what, byte[] der) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                        + "\n-----END " + what + "-----\n");
    }

    /** An address of this machine that other machines could reach. */
    private static Optional<String> notLoopback() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    .findFirst();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }
}
