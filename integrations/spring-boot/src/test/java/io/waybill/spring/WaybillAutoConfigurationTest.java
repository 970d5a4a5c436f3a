package io.waybill.spring;

import static io.waybill.spring.TestApplication.problems;
import static io.waybill.spring.TestApplication.warnings;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.command.CommandBus;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.UnhandledCommand;
import io.waybill.runtime.Waybill;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** When Waybill is there, and which handlers and subscribers it says cannot be. */
final class WaybillAutoConfigurationTest {

    private final ApplicationContextRunner application = TestApplication.onH2();

    @Test
    void everything_is_there_by_itself() {
        application.run(context -> assertThat(context)
                .hasSingleBean(Waybill.class)
                .hasSingleBean(Outbox.class)
                .hasSingleBean(CommandBus.class)
                .hasSingleBean(ProcessManager.class)
                .hasSingleBean(FailedMessages.class));
    }

    @Test
    void nothing_is_there_when_it_is_switched_off() {
        application
                .withPropertyValues("waybill.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(Outbox.class).doesNotHaveBean("waybillMeters"));
    }

    @Test
    void health_and_meters_need_their_libraries() {
        application
                .withClassLoader(new FilteredClassLoader(HealthIndicator.class, MeterBinder.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("waybillReadinessHealthIndicator")
                        .doesNotHaveBean("waybillMeters"));
    }

    @Test
    void a_process_whose_command_nobody_handles_is_named() {
        ApplicationContextRunner lonely = application.withUserConfiguration(TestApplication.Lonely.class);
        assertThat(warnings(lonely, ProcessManager.class))
                .singleElement()
                .asString()
                .startsWith("WB-405 ")
                .contains("Lonely sends WaitCommand");
        ApplicationContextRunner withMq = lonely.withPropertyValues(
                "waybill.mq.url=kafka://localhost:1", "waybill.messaging.consumers.enabled=false");
        assertThat(warnings(withMq, UnhandledCommand.class))
                .singleElement()
                .asString()
                .startsWith("WB-408 ")
                .contains("Lonely sends WaitCommand to APP.CMD.WAIT.Q");
        assertThat(warnings(
                        lonely.withPropertyValues(
                                "waybill.routes[0].pattern=APP.CMD.*.Q", "waybill.routes[0].url=stdout:"),
                        ProcessManager.class))
                .isEmpty();
    }

    @Test
    void a_subscriber_that_a_route_keeps_from_its_messages_is_refused() {
        application
                .withBean(TestApplication.Listener.class)
                .withPropertyValues("waybill.routes[0].pattern=orders.*", "waybill.routes[0].url=stdout:")
                .run(context -> assertThat(problems(context))
                        .contains("@SubscribeTo on Listener.on = orders.placed: it would never get a message"));
        application
                .withBean(TestApplication.Listener.class)
                .withPropertyValues(
                        "waybill.routes[0].pattern=orders.placed",
                        "waybill.routes[0].url=local:",
                        "waybill.routes[1].pattern=orders.*",
                        "waybill.routes[1].url=stdout:")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
