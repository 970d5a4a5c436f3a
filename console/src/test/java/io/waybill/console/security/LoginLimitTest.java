package io.waybill.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Guessing is slow, and keeps nobody else from logging in. */
class LoginLimitTest {

    private static final String OFFICE = "192.0.2.7";
    private static final String ATTACKER = "203.0.113.9";

    private final ManualClock clock = ManualClock.now();
    private final LoginLimit limit = new LoginLimit(clock);

    @Test
    void five_wrong_passwords_of_a_user_at_a_client_are_the_last_for_five_minutes() {
        fail(OFFICE, "ann", 4);
        assertThat(limit.isExceeded(OFFICE, "ann")).isFalse();
        fail(OFFICE, "ann", 1);
        assertThat(limit.isExceeded(OFFICE, "ann")).isTrue();

        clock.advance(Duration.ofMinutes(6));
        assertThat(limit.isExceeded(OFFICE, "ann")).isFalse();
    }

    @Test
    void an_attacker_elsewhere_locks_no_user_out_for_however_long_he_tries() {
        for (int minute = 0; minute < 120; minute++) {
            fail(ATTACKER, "ann", 1);
            clock.advance(Duration.ofMinutes(1));
            assertThat(limit.isExceeded(OFFICE, "ann")).isFalse();
        }
    }

    @Test
    void somebody_behind_the_same_proxy_locks_the_others_not_out() {
        succeed(OFFICE, "bob");
        for (int user = 0; user < 100; user++) {
            fail(OFFICE, "guess-" + user, 1);
        }

        assertThat(limit.isExceeded(OFFICE, "zoe"))
                .as("who has never logged in from there waits")
                .isTrue();
        assertThat(limit.isExceeded(OFFICE, "bob")).isFalse();
        fail(OFFICE, "bob", 5);
        assertThat(limit.isExceeded(OFFICE, "bob"))
                .as("a password of his is not guessed there either")
                .isTrue();
    }

    @Test
    void guessing_one_password_from_many_addresses_is_stopped_and_the_user_goes_on_where_he_is_known() {
        succeed(OFFICE, "ann");
        for (int address = 0; address < 25; address++) {
            fail("203.0.113." + address, "ann", 4);
        }

        assertThat(limit.isExceeded("203.0.113.200", "ann")).isTrue();
        assertThat(limit.isExceeded(OFFICE, "ann")).isFalse();
        clock.advance(Duration.ofDays(31));
        for (int address = 0; address < 25; address++) {
            fail("203.0.113." + address, "ann", 4);
        }
        assertThat(limit.isExceeded(OFFICE, "ann")).as("a month later").isTrue();
    }

    @Test
    void an_account_of_ones_own_is_no_licence_to_guess_others() {
        for (int user = 0; user < 50; user++) {
            fail(ATTACKER, "guess-" + user, 1);
            succeed(ATTACKER, "mallory");
        }

        assertThat(limit.isExceeded(ATTACKER, "ann")).isTrue();
    }

    @Test
    void the_neighbours_of_an_address_of_ipv6_are_the_same_client() {
        fail("2001:db8:0:1::1", "ann", 3);
        fail("2001:db8:0:1:ffff::2", "ann", 2);

        assertThat(limit.isExceeded("2001:db8:0:1::3", "ann")).isTrue();
        assertThat(limit.isExceeded("2001:db8:0:2::1", "ann")).isFalse();
    }

    @Test
    void logins_at_once_are_as_many_attempts_as_one_after_the_other() {
        for (int i = 0; i < 5; i++) {
            assertThat(limit.begin(OFFICE, "ann")).isTrue();
        }
        assertThat(limit.begin(OFFICE, "ann"))
                .as("none of the five has ended yet")
                .isFalse();
    }

    @Test
    void logins_that_succeed_are_no_attempts() {
        for (int i = 0; i < 200; i++) {
            assertThat(limit.begin(OFFICE, "user-" + i)).isTrue();
            limit.succeeded(OFFICE, "user-" + i);
        }
    }

    private void fail(String client, String user, int times) {
        for (int i = 0; i < times; i++) {
            limit.begin(client, user);
        }
    }

    private void succeed(String client, String user) {
        assertThat(limit.begin(client, user)).isTrue();
        limit.succeeded(client, user);
    }
}
