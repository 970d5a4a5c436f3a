package io.waybill.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.runtime.ConsumerOrder;
import io.waybill.spring.WaybillAutoConfiguration;
import io.waybill.transport.SubscriptionOptions;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** How many consumers brokers get, and what becomes of the order. */
final class ConsumersTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    WaybillAutoConfiguration.class))
            .withBean(Desk.class)
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                    "spring.datasource.hikari.maximum-pool-size=100",
                    "waybill.messaging.consumers.concurrency=10",
                    "waybill.messaging.consumers.batch-size=7",
                    "waybill.messaging.consumers.commands-from=crowd://here",
                    "waybill.messaging.consumers.sources[0].pattern=heard",
                    "waybill.messaging.consumers.sources[0].url=crowd://here");

    @BeforeEach
    void forget() {
        CrowdBroker.SUBSCRIBED.clear();
    }

    @Test
    void ten_consumers_that_cannot_keep_the_order_start_with_one_warning() {
        var lines = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(ConsumerOrder.class);
        lines.start();
        logger.addAppender(lines);
        try {
            application.run(context -> assertThat(context).hasNotFailed());
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(CrowdBroker.SUBSCRIBED)
                .extracting(SubscriptionOptions::source)
                .containsExactlyInAnyOrder("APP.CMD.GREET.Q", "heard");
        assertThat(CrowdBroker.SUBSCRIBED)
                .allSatisfy(options -> assertThat(options)
                        .returns(10, SubscriptionOptions::concurrency)
                        .returns(7, SubscriptionOptions::batchSize)
                        .returns(false, SubscriptionOptions::ordered));
        assertThat(lines.list).singleElement().asString().contains("WB-607 messaging.consumers.concurrency is 10");
    }

    @Test
    void an_order_that_is_asked_for_is_not_given_up() {
        application
                .withPropertyValues("waybill.commands.in-order=true")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("- waybill.commands.in-order = true: 10 consumers"));
        application
                .withPropertyValues("waybill.commands.in-order=true", "waybill.messaging.consumers.concurrency=1")
                .run(context -> assertThat(CrowdBroker.SUBSCRIBED).hasSize(2).allMatch(SubscriptionOptions::ordered));
    }

    @Test
    void consumers_that_are_switched_off_take_nothing_and_the_relay_goes_on() {
        application
                .withPropertyValues("waybill.messaging.consumers.enabled=false")
                .run(context -> {
                    assertThat(CrowdBroker.SUBSCRIBED).isEmpty();
                    assertThat(context.getBean(WaybillProperties.class).relays())
                            .isEqualTo(1);
                });
    }

    /** A command. */
    public record GreetCommand(String who) implements DomainCommand {}

    /** Handles. */
    static class Desk {
        public void greet(GreetCommand command) {}

        @SubscribeTo("heard")
        public void hear(String what) {}
    }
}
