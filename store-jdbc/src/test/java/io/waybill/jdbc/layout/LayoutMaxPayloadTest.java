package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.message.Envelope;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** In every layout a payload that is larger than a message may have is not read: its row fails, and nobody waits for it but its key. */
class LayoutMaxPayloadTest {

    private static final int MAX_PAYLOAD = 10_000;
    private static final String REASON = "Its payload has 10001 bytes, and max-payload is 10000.";

    abstract static class Contract extends LayoutScenario {

        static final List<String> LAYOUTS = Layouts.NAMES;

        @ParameterizedTest
        @FieldSource("LAYOUTS")
        void a_row_that_is_too_large_fails_with_the_reason_and_the_others_are_sent(String name) {
            Layout layout = Layouts.named(name);
            AdoptedTable table = AdoptedTable.open(
                    pool, layout, AdoptedTable.Setup.EVERYTHING, clock.time(), "default", MAX_PAYLOAD, true);
            execute(
                    SampleRows.insert(name, "a", digits(MAX_PAYLOAD)),
                    SampleRows.insert(name, "b", digits(MAX_PAYLOAD + 1)),
                    SampleRows.insert(name, "c", "'3'"));

            Claim shown = AdoptedTable.peek(pool, layout, 100, MAX_PAYLOAD, 1_000_000);
            Claim cut = AdoptedTable.peek(pool, layout, 100, MAX_PAYLOAD, 5);
            relay(table).drain();

            assertThat(shown.messages()).hasSize(3);
            assertThat(shown.messages().stream().map(ClaimedMessage::problem).filter(problem -> !problem.isEmpty()))
                    .singleElement()
                    .asString()
                    .startsWith(REASON);
            assertThat(shown.messages().stream()
                            .filter(message -> !message.isSendable())
                            .mapToLong(ClaimedMessage::bytes)
                            .sum())
                    .isZero();
            assertThat(cut.cut()).isTrue();
            assertThat(cut.messages().stream().mapToLong(ClaimedMessage::bytes).sum())
                    .isLessThanOrEqualTo(MAX_PAYLOAD);
            assertThat(broker.accepted())
                    .extracting(Envelope::payload)
                    .extracting(payload -> payload.size())
                    .containsExactlyInAnyOrder(MAX_PAYLOAD, 1);
            assertThat(table.admin().list(Selection.of(OutboxStatus.FAILED), 0, 10))
                    .singleElement()
                    .satisfies(message -> assertThat(message.error()).startsWith(REASON));
        }

        @Test
        void headers_that_are_too_large_are_not_read_and_fail_alone() {
            AdoptedTable table = open(Layouts.named("messenger-ordered"));
            execute(
                    SampleRows.insert("messenger-ordered", "a", "'1'"),
                    "UPDATE messenger_outbox SET headers = CONCAT('{\"trace\":\"', REPEAT('x', "
                            + ClaimedMessage.MAX_HEADERS + "), '\"}')",
                    SampleRows.insert("messenger-ordered", "b", "'2'"));

            relay(table).drain();

            assertThat(broker.payloads()).containsExactly("2");
            assertThat(table.admin().list(Selection.of(OutboxStatus.FAILED), 0, 10))
                    .singleElement()
                    .satisfies(message ->
                            assertThat(message.error()).contains("headers are not a JSON object of at most 1 MB"));
        }

        /** A number of so many digits, which is JSON too. */
        private static String digits(int count) {
            return "'" + "7".repeat(count) + "'";
        }
    }

    @Nested
    class OnPostgres extends Contract {
        @Override
        public TestDatabase newDatabase() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends Contract {
        @Override
        public TestDatabase newDatabase() {
            return MariaDb.shared().newDatabase();
        }
    }

    @Nested
    class OnH2 extends Contract {
        @Override
        public TestDatabase newDatabase() {
            return H2.newDatabase();
        }
    }
}
