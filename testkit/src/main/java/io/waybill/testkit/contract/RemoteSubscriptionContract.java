package io.waybill.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.transport.Broker;
import io.waybill.transport.SubscriptionOptions;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every subscription promises over a connection that can be cut, besides; against its real broker. */
public abstract class RemoteSubscriptionContract extends SubscriptionContract {

    /** How often the connection is cut: a few times in every build, more with -Pfull. */
    private static final int CUTS = Integer.getInteger("waybill.transport.cuts", 10);

    @Override
    protected abstract BrokerFixture<? extends Broker> fixture();

    @Test
    void connections_cut_in_the_middle_lose_nothing_and_reorder_nothing() {
        int total = 200 * CUTS;
        var random = new Random(11);
        try (var proxy = fixture().proxy();
                Broker through = fixture().open(proxy.port())) {
            publish(total);
            var cuts = new AtomicInteger();
            try (var subscription = through.subscribe(options().batchSize(20), batch -> {
                keep(batch);
                if (random.nextInt(4) == 0 && cuts.get() < CUTS) {
                    cuts.incrementAndGet();
                    proxy.cut();
                }
            })) {
                awaitReceived(total, PATIENCE.multipliedBy(1 + CUTS / 10));
            }
            assertThat(cuts).as("connections cut").hasValue(CUTS);
        }
        assertThat(check(total).lost()).isZero();
        assertThat(check(total).violations()).isEmpty();
    }

    @Test
    void a_missing_source_is_refused_at_once_by_its_name() {
        String missing = fixture().missingDestination();

        assertThatThrownBy(() -> broker.subscribe(SubscriptionOptions.to(missing, "billing"), this::keep))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(missing);
    }
}
