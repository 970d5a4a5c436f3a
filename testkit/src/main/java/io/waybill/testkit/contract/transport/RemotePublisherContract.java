package io.waybill.testkit.contract.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every publisher promises over a connection that can be cut, besides; against its real broker. */
public abstract class RemotePublisherContract extends RefusingPublisherContract {

    /** How often the connection is cut: a few times in every build, more with -Pfull. */
    private static final int CUTS = Integer.getInteger("waybill.transport.cuts", 10);

    @Override
    protected abstract BrokerFixture<?> fixture();

    @Test
    void a_broker_that_is_away_is_unavailable_and_comes_back() {
        try (var proxy = fixture().proxy();
                Transport through = fixture().open(proxy.port());
                Publisher cut = through.publisher("relay-3", WireFormat.PLAIN)) {
            proxy.refuse();
            List<Envelope> batch = messages(10, 2);
            assertThat(cut.publish(batch, Deadline.NEVER))
                    .allMatch(outcome ->
                            outcome instanceof Outcome.Unavailable || outcome instanceof Outcome.NotAttempted)
                    .anyMatch(outcome -> outcome instanceof Outcome.Unavailable);

            proxy.restore();
            publishAll(cut, batch);
        }
        assertThat(check(10).lost()).isZero();
        assertThat(check(10).violations()).isEmpty();
    }

    @Test
    void connections_cut_in_the_middle_lose_nothing_and_reorder_nothing() {
        int size = 200;
        var random = new Random(7);
        long next = 0;
        try (var proxy = fixture().proxy();
                Transport through = fixture().open(proxy.port());
                Publisher cut = through.publisher("relay-4", WireFormat.PLAIN)) {
            publishAll(cut, List.of(message(next++, "key-0")));
            for (int cuts = 0; cuts < CUTS; cuts++) {
                long first = next;
                proxy.cutAfter(random.nextInt(size * 150));
                publishAll(
                        cut,
                        IntStream.range(0, size)
                                .mapToObj(i -> message(first + i, "key-" + i % 10))
                                .toList());
                next += size;
            }
        }
        OrderCheck check = check((int) next);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    /** As a relay does: what was not accepted goes again, in its order. */
    private static void publishAll(Publisher publisher, List<Envelope> batch) {
        List<Envelope> left = batch;
        for (int rounds = 0; !left.isEmpty(); rounds++) {
            assertThat(rounds).as("rounds until everything was accepted").isLessThan(500);
            List<Envelope> sent = left;
            List<Outcome> outcomes = publisher.publish(sent, Deadline.NEVER);
            assertThat(outcomes).hasSameSizeAs(sent).noneMatch(outcome -> outcome instanceof Outcome.Misconfigured);
            left = IntStream.range(0, sent.size())
                    .filter(i -> !(outcomes.get(i) instanceof Outcome.Accepted))
                    .mapToObj(sent::get)
                    .toList();
        }
    }
}
