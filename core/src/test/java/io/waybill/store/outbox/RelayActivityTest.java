package io.waybill.store.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.outbox.RelayActivity.Counts;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RelayActivityTest {

    @Test
    void it_is_read_as_it_was_written_whatever_destinations_are_called() {
        var activity = new RelayActivity(
                Map.of("orders", new Counts(12, 3), "quote\" \\ and \n", new Counts(1, 0)), new Counts(7, 2));

        assertThat(RelayActivity.of(activity.text())).isEqualTo(activity);
        assertThat(activity.total()).isEqualTo(new Counts(20, 5));
        assertThat(RelayActivity.NONE.text()).isEmpty();
        assertThat(RelayActivity.of("")).isEqualTo(RelayActivity.NONE);
    }

    @Test
    void why_a_destination_takes_no_messages_is_read_as_it_was_written() {
        var activity = new RelayActivity(
                Map.of("orders", new Counts(12, 3), "mail", new Counts(0, 0)),
                Counts.NONE,
                Map.of("mail", "refused by \"mx\", \\ try [1,2]"));

        assertThat(RelayActivity.of(activity.text())).isEqualTo(activity);
    }

    @Test
    void the_busiest_destinations_are_listed_and_the_others_are_one_sum() {
        Map<String, Counts> many = new HashMap<>();
        for (int i = 1; i <= 5_000; i++) {
            many.put("tenant-" + i, new Counts(i, 0));
        }
        var activity = new RelayActivity(many, new Counts(0, 4));

        RelayActivity read = RelayActivity.of(activity.text());

        assertThat(read.byDestination()).hasSize(100).containsKeys("tenant-5000", "tenant-4901");
        assertThat(read.total()).isEqualTo(activity.total());
        assertThat(activity.text().length()).isLessThan(4_000);
    }
}
