package io.waybill.spring.settings;

import static io.waybill.spring.TestApplication.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.SubscribeTo;
import io.waybill.spring.TestApplication;
import io.waybill.testkit.services.broker.Artemis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What handlers and consumers leave of the connection pool. */
final class PoolSizeTest {

    private final ApplicationContextRunner application = TestApplication.onH2();

    @Test
    void handlers_must_leave_room_in_the_connection_pool() {
        application
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=8", "waybill.handlers.concurrency=8")
                .run(context -> assertThat(problems(context))
                        .contains(
                                "- waybill.handlers.concurrency = 8: 1 relay with 8 handlers each may take 9 connections"
                                        + " at the same time, and the pool has 8.")
                        .contains("maximum-pool-size) to 16, or lower the concurrency"));
        application
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=7")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void handlers_that_may_take_more_than_half_of_the_pool_are_a_warning() {
        var pool = application
                .withBean(TestApplication.Listener.class)
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=10");
        assertThat(warnings(pool.withPropertyValues("waybill.handlers.concurrency=6")))
                .singleElement()
                .asString()
                .startsWith("WB-601 waybill.handlers.concurrency is 6: 1 relay with 6 handlers each may take 7"
                        + " connections at the same time, and the pool has 10. Rule: handlers, and the consumers of a queue, are"
                        + " half of the pool at most");

        assertThat(warnings(pool.withPropertyValues("waybill.handlers.concurrency=5")))
                .as("half of the pool, as the guide has it")
                .isEmpty();
    }

    @Test
    void what_nothing_uses_is_no_reason_to_warn() {
        Artemis.shared().createQueue("orders.placed");
        String url = Artemis.shared().url().replace("tcp://", "jms+artemis://");
        var subscribed = application
                .withBean(TestApplication.Listener.class)
                .withPropertyValues(
                        "waybill.messaging.consumers.sources[0].pattern=orders.*",
                        "waybill.messaging.consumers.sources[0].url=" + url);
        assertThat(warnings(subscribed)).as("one subscription to a broker").isEmpty();
        assertThat(warnings(subscribed.withPropertyValues("waybill.handlers.concurrency=8")))
                .as("handlers that get nothing but what is tried again")
                .isEmpty();
        assertThat(warnings(subscribed.withPropertyValues("waybill.messaging.consumers.concurrency=5")))
                .as("consumers that leave something")
                .isEmpty();
        assertThat(warnings(subscribed
                        .withBean(Other.class)
                        .withPropertyValues("waybill.messaging.consumers.concurrency=5")))
                .as("half of the pool, as the guide has it, and handlers of the outbox")
                .isEmpty();
        assertThat(warnings(subscribed.withPropertyValues("waybill.messaging.consumers.concurrency=6")))
                .as("consumers that take more than half of it")
                .singleElement()
                .asString()
                .startsWith("WB-601 ");
    }

    private static List<String> warnings(ApplicationContextRunner application) {
        return TestApplication.warnings(application, SpringPoolCheck.class);
    }

    /** Listens to what the application appends. */
    static final class Other {
        @SubscribeTo("mails.sent")
        public void on(String mail) {}
    }
}
