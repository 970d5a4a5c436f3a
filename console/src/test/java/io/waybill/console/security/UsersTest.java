package io.waybill.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tokens and logins while somebody else tries many. */
class UsersTest {

    private static final String TOKEN = PasswordHash.randomToken();

    /** The hash of "correct horse", cheap to compare with. */
    private static final String CHEAP =
            "pbkdf2-sha256$1000$d2F5YmlsbC10ZXN0LXNhbA==$O1vERX4Llz+6Rqt3LkF/isgjmdm6ES7Rq2pTlT8uTC4=";

    private final ManualClock clock = ManualClock.now();
    private final Console console = new Console(ConsoleOptions.of(List.of())
            .clock(clock)
            .users(ConsoleUser.parse(Stream.of(
                    "robot:viewer:" + PasswordHash.ofToken(TOKEN),
                    "ann:viewer:" + CHEAP,
                    "bob:viewer:" + CHEAP,
                    "zoe:viewer:" + PasswordHash.ofPassword("another")))));

    @Test
    void wrong_tokens_are_limited_and_a_right_one_from_the_same_address_never_is() {
        for (int i = 0; i < 49; i++) {
            assertThat(databases("Bearer guess-" + i).status()).isEqualTo(401);
        }
        databases("Bearer guess");

        assertThat(databases("Bearer another").status()).isEqualTo(429);
        assertThat(databases("Bearer another").body().asText()).contains("Wait five minutes");
        assertThat(databases("Bearer " + TOKEN).status()).isEqualTo(200);
        clock.advance(Duration.ofMinutes(6));
        assertThat(databases("Bearer another").status()).isEqualTo(401);
    }

    @Test
    void of_many_logins_at_once_five_are_looked_at() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(20);
        try {
            List<Callable<Integer>> guesses = IntStream.range(0, 40)
                    .mapToObj(i ->
                            (Callable<Integer>) () -> login("zoe", "guess-" + i).status())
                    .toList();
            List<Integer> statuses =
                    clients.invokeAll(guesses).stream().map(UsersTest::get).toList();

            assertThat(statuses).filteredOn(status -> status == 401).hasSize(5);
            assertThat(statuses).filteredOn(status -> status == 429).hasSize(35);
        } finally {
            clients.shutdownNow();
        }
    }

    @Test
    void somebody_who_logs_in_a_thousand_times_ends_no_session_but_their_own() {
        String first = cookie(login("ann", "correct horse"));
        String other = cookie(login("bob", "correct horse"));
        String latest = first;
        for (int i = 0; i < 1_001; i++) {
            clock.advance(Duration.ofMillis(10));
            latest = cookie(login("ann", "correct horse"));
        }

        assertThat(session(other).status()).isEqualTo(200);
        assertThat(session(latest).status()).isEqualTo(200);
        assertThat(session(first).status()).isEqualTo(401);
    }

    private ConsoleResponse databases(String authorization) {
        return console.answer(ConsoleRequest.of("GET", "/api/databases").header("Authorization", authorization));
    }

    private ConsoleResponse session(String cookie) {
        return console.answer(ConsoleRequest.of("GET", "/api/databases").header("Cookie", cookie));
    }

    private ConsoleResponse login(String name, String password) {
        return console.answer(ConsoleRequest.of("POST", "/api/login")
                .body("{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}"));
    }

    private static String cookie(ConsoleResponse response) {
        return response.headers().getOrDefault("Set-Cookie", "").replaceFirst(";.*", "");
    }

    private static int get(Future<Integer> status) {
        try {
            return status.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
