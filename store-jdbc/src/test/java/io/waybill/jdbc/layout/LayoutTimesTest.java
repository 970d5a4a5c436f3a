package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.Symfony;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.message.Envelope;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that write their own local time, also when clocks are changed. */
class LayoutTimesTest {

    private static final DateTimeFormatter SQL = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    abstract static class Contract extends MessengerScenario {

        @ParameterizedTest
        @ValueSource(strings = {"Europe/Warsaw", "America/New_York", "Asia/Kathmandu", "UTC"})
        void rows_are_due_and_claimed_by_the_clock_of_their_application(String name) {
            ZoneId zone = ZoneId.of(name);
            var relay = relay(open(half(zone)));
            insert("now", zone, minutes(0), null);
            insert("later", zone, minutes(10), null);
            insert("claimed", zone, minutes(-40), minutes(-20));
            insert("abandoned", zone, minutes(-50), minutes(-40));

            relay.drain();

            assertThat(broker.payloads()).containsExactly("now", "abandoned");
        }

        @Test
        void a_claim_is_written_in_the_time_of_the_application() {
            var zone = ZoneId.of("Asia/Tokyo");
            var relay = relay(open(half(zone)));
            insert("1", zone, minutes(0), null);
            List<String> seen = new ArrayList<>();
            broker.answers(message -> {
                seen.addAll(rows("SELECT count(*) FROM messenger_outbox WHERE delivered_at BETWEEN '"
                        + local(zone, minutes(-2)) + "' AND '" + local(zone, minutes(2)) + "'"));
                return new Outcome.Accepted();
            });

            relay.drain();

            assertThat(seen).containsExactly("1");
        }

        @Test
        void when_clocks_are_put_back_nothing_waits_for_an_hour_and_no_claim_is_over_too_early() {
            ZoneId zone = ChangingZone.putBack(Duration.ofMinutes(20));
            var relay = relay(open(half(zone)));
            insert("before the change", zone, minutes(-25), null);
            insert("after it", zone, minutes(-1), null);
            insert("claimed before", zone, minutes(-27), minutes(-25));
            insert("claimed after", zone, minutes(-10), minutes(-5));

            relay.drain();

            assertThat(broker.payloads()).containsExactly("before the change", "after it");
        }

        @Test
        void a_claim_of_the_hour_that_comes_twice_is_not_over_for_php_either() {
            ZoneId zone = ChangingZone.putBack(Duration.ofMinutes(20));
            var relay = relay(open(half(zone)));
            insert("1", zone, minutes(-1), null);
            List<String> live = new ArrayList<>();
            broker.answers(message -> {
                live.addAll(rows("SELECT count(*) FROM messenger_outbox WHERE delivered_at >= '"
                        + local(zone, minutes(-30)) + "'"));
                return new Outcome.Accepted();
            });

            relay.drain();

            assertThat(live).containsExactly("1");
        }

        @Test
        void when_clocks_are_put_forward_rows_and_claims_are_as_old_as_they_are() {
            ZoneId zone = ChangingZone.putForward(Duration.ofMinutes(20));
            var relay = relay(open(half(zone)));
            insert("before the change", zone, minutes(-25), null);
            insert("later", zone, minutes(10), null);
            insert("claimed before", zone, minutes(-27), minutes(-25));
            insert("abandoned", zone, minutes(-45), minutes(-40));

            relay.drain();

            assertThat(broker.payloads()).containsExactly("before the change", "abandoned");
        }

        @Test
        void a_table_that_is_written_in_another_zone_is_noticed() {
            for (String name : List.of("Europe/Warsaw", "America/New_York", "Asia/Kathmandu")) {
                var zone = ZoneId.of(name);
                AdoptedTable wrong = open(half(ZoneOffset.UTC));
                execute("DELETE FROM messenger_outbox");
                insert("1", zone, minutes(0), null);

                assertThat(wrong.notices()).as(name).singleElement().satisfies(notice -> {
                    assertThat(notice.code()).isEqualTo("WB-150");
                    assertThat(notice.toString()).contains("created_at is a time of UTC", "--time-zone");
                });
                assertThat(open(half(zone)).notices()).as(name).isEmpty();
            }
        }

        @Test
        void a_queue_that_has_no_rows_is_noticed_when_others_have() {
            AdoptedTable table = open(half(ZoneOffset.UTC));
            insert("1", ZoneOffset.UTC, minutes(0), null);
            execute("UPDATE messenger_outbox SET queue_name = 'async'");

            assertThat(table.notices()).singleElement().asString().contains("WB-152", "async (1)", "queue_name=async");
        }

        @Test
        void what_symfony_writes_in_local_time_is_sent_at_once() throws Exception {
            var symfony = Symfony.on(database);
            var zone = ZoneId.of("Europe/Warsaw");
            var utc = relay(open(half(ZoneOffset.UTC)));
            symfony.run("send", "messenger_outbox", "outbox", "json", zone.getId());
            utc.drain();
            assertThat(broker.accepted()).isEmpty();
            utc.close();

            relay(open(half(zone))).drain();

            assertThat(broker.accepted()).extracting(Envelope::type).containsExactly("order.placed");
        }

        /** Claims count for half an hour. */
        private static Layout half(ZoneId zone) {
            return Layouts.messenger("messenger_outbox", "outbox", Duration.ofMinutes(30))
                    .withZone(zone);
        }

        private void insert(String body, ZoneId zone, Duration written, @Nullable Duration delivered) {
            String at = local(zone, written);
            execute(
                    "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, delivered_at) VALUES ('"
                            + body + "', '[]', 'outbox', '" + at + "', '" + at + "', "
                            + (delivered == null ? "NULL" : "'" + local(zone, delivered) + "'") + ")");
        }
    }

    static Duration minutes(int count) {
        return Duration.ofMinutes(count);
    }

    /** The time on the wall of the application, so long from now. */
    static String local(ZoneId zone, Duration fromNow) {
        return SQL.format(LocalDateTime.ofInstant(Clock.systemUTC().instant().plus(fromNow), zone));
    }

    @Nested
    class OnPostgres extends Contract {
        @Override
        MessengerDatabase on() {
            return MessengerDatabase.POSTGRES;
        }
    }

    @Nested
    class OnMariaDb extends Contract {
        @Override
        MessengerDatabase on() {
            return MessengerDatabase.MARIADB;
        }
    }

    /** A table of seed 002 as its owner creates it, in a database that is not in UTC. */
    @Nested
    class ZonesOfTheDatabase extends LayoutScenario {

        @Override
        public TestDatabase newDatabase() {
            return Postgres.shared().newDatabase();
        }

        @Test
        void now_is_what_the_owner_of_outbox_messages_means() {
            String name = rows("SELECT current_database()").get(0);
            execute(
                    "ALTER DATABASE " + name + " SET timezone = 'Asia/Tokyo'",
                    "CREATE TABLE outbox_messages (id CHAR(36) PRIMARY KEY, event_type VARCHAR(100) NOT NULL, payload JSON"
                            + " NOT NULL, status VARCHAR(20) NOT NULL DEFAULT 'pending', attempts INT NOT NULL DEFAULT 0,"
                            + " available_at TIMESTAMP NULL, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,"
                            + " sent_at TIMESTAMP NULL)");
            AdoptedTable table =
                    AdoptedTable.open(pool, Layouts.OUTBOX_MESSAGES, AdoptedTable.Setup.BESIDE, clock.time());
            for (String available : List.of("NOW() - INTERVAL '1 second'", "NOW() + INTERVAL '10 minutes'")) {
                execute(
                        "SET TIME ZONE 'Asia/Tokyo'; INSERT INTO outbox_messages (id, event_type, payload, available_at)"
                                + " VALUES ('" + UUID.randomUUID() + "', 'OrderCreated', '1', " + available
                                + "); RESET TIME ZONE");
            }

            relay(table).drain();

            assertThat(broker.accepted()).hasSize(1);
            assertThat(table.notices()).isEmpty();
            assertThat(rows(
                            "SELECT count(*) FROM outbox_messages WHERE sent_at BETWEEN (NOW() AT TIME ZONE 'Asia/Tokyo')"
                                    + " - INTERVAL '1 minute' AND (NOW() AT TIME ZONE 'Asia/Tokyo')"))
                    .containsExactly("1");
        }
    }
}
