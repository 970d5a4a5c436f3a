package io.waybill.testkit.contract.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.testkit.Numbered;
import io.waybill.transport.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every publisher promises to a broker that does not take everything, besides. */
public abstract class RefusingPublisherContract extends PublisherContract {

    @Override
    protected abstract RefusingFixture<?> fixture();

    @Test
    void behind_a_refused_message_its_key_waits_and_the_others_go_on() {
        Envelope refused = fixture().refusable(message(3, "bad"));
        List<Envelope> batch =
                List.of(message(1, "good"), message(2, "bad"), refused, message(4, "bad"), message(5, "good"));

        var outcomes = new ArrayList<>(publish(batch));
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(3)).isEqualTo(new Outcome.NotAttempted());
        // A publisher may stop the whole batch at a refusal; what it did not attempt it takes the next time.
        List<Envelope> rest = IntStream.of(0, 1, 4)
                .filter(i -> outcomes.get(i).equals(new Outcome.NotAttempted()))
                .mapToObj(batch::get)
                .toList();
        assertThat(publish(rest)).allMatch(outcome -> outcome instanceof Outcome.Accepted);

        assertThat(numbers()).containsExactlyInAnyOrder(1L, 2L, 5L).containsSubsequence(1L, 5L);
    }

    @Test
    void a_missing_destination_is_a_misconfiguration_and_others_go_on() {
        String missing = fixture().missingDestination();

        List<Outcome> outcomes = publish(List.of(message(1, "a").withDestination(missing), message(2, "a")));

        assertThat(outcomes.get(0))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        outcome -> assertThat(outcome.reason()).contains(missing));
        if (outcomes.get(1).equals(new Outcome.NotAttempted())) {
            assertThat(publish(List.of(message(2, "a")))).containsExactly(new Outcome.Accepted());
        } else {
            assertThat(outcomes.get(1)).isEqualTo(new Outcome.Accepted());
        }
    }

    private List<Long> numbers() {
        return fixture().contents(destination).stream()
                .map(Numbered::read)
                .map(Numbered::number)
                .toList();
    }
}
