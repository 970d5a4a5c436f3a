package io.waybill.spring.kt;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandBus;
import io.waybill.jackson.JacksonCodec;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import io.waybill.spring.TestApplication;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.core.io.ClassPathResource;

/** What an application in Kotlin may write, compiled by Kotlin's compiler without any of its options. */
final class KotlinTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final ApplicationContextRunner application =
            TestApplication.onH2().withConfiguration(AutoConfigurations.of(TransactionAutoConfiguration.class));

    private final ApplicationContextRunner shop =
            application.withUserConfiguration(Orders.class, Ledger.class, Ordering.class);

    @Test
    void data_classes_are_commands_and_replies_and_events() {
        shop.run(context -> {
            assertThat(AopUtils.isCglibProxy(context.getBean(Orders.class))).isTrue();

            Placed placed = context.getBean(CommandBus.class)
                    .send(new PlaceOrderCommand("o-1", null, 3), idempotencyKey("o-1"))
                    .await(SOON)
                    .as(Placed.class);

            assertThat(placed).isEqualTo(new Placed("o-1", null, 3));
            heard(context, new OrderPlaced("o-1", null, 3));
        });
    }

    @Test
    void a_parameter_that_a_payload_does_not_have_gets_its_default() {
        shop.run(context -> {
            context.getBean(Waybill.class)
                    .transactions()
                    .inTransaction(transaction -> context.getBean(Outbox.class)
                            .append(Message.event("OrderPlaced", "{\"order\":\"o-2\"}")
                                    .to("orders.placed")));

            heard(context, new OrderPlaced("o-2", null, 1));
        });
    }

    @Test
    void values_are_not_lost_where_every_parameter_has_a_default() {
        shop.run(context -> assertThat(context.getBean(CommandBus.class)
                        .send(new CountCommand(5, "chair"), idempotencyKey("chairs"))
                        .await(SOON)
                        .as(String.class))
                .isEqualTo("5 chair"));
    }

    @Test
    void without_jacksons_module_a_class_is_refused_and_not_made_of_its_defaults() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new FilteredClassLoader(
                new ClassPathResource("META-INF/services/tools.jackson.databind.JacksonModule")));
        try {
            var codec = new JacksonCodec();
            for (Class<?> type : List.of(CountCommand.class, PlaceOrderCommand.class)) {
                assertThatThrownBy(() -> codec.decode(Payload.text("{\"number\":5,\"order\":\"o-1\"}"), type))
                        .hasMessageContaining(type.getName() + " is a class of Kotlin")
                        .hasMessageContaining("jackson-module-kotlin");
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void a_process_builds_its_commands_from_what_it_knows() {
        shop.run(context -> {
            var processes = context.getBean(ProcessManager.class);
            UUID known = processes.startProcess("Ordering", "o-3", Map.of("order", "o-3", "customer", "Ada"));
            UUID unknown = processes.startProcess("Ordering", "o-4", Map.of("customer", "Ada"));

            heard(context, new OrderPlaced("o-3", null, 1));
            ended(processes, known, ProcessStatus.SUCCEEDED);
            ended(processes, unknown, ProcessStatus.FAILED);
            assertThat(processes.explain(unknown)).contains("PlaceOrderCommand", "field 'order' is missing");
        });
    }

    @Test
    void a_suspend_function_is_refused() {
        application
                .withUserConfiguration(SuspendingOrders.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(
                                SuspendingOrders.class.getName() + ".place: it is a suspend function"));
    }

    @Test
    void a_final_class_whose_bean_needs_a_proxy_is_refused() {
        application
                .withUserConfiguration(FinalOrders.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(FinalOrders.class.getName() + ".place: its class is final")
                        .hasStackTraceContaining("in Kotlin: open, or the compiler plugin 'spring'"));
    }

    private static void heard(AssertableApplicationContext context, OrderPlaced event) {
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(context.getBean(Ledger.class).getHeard()).containsExactly(event));
    }

    private static void ended(ProcessManager processes, UUID process, ProcessStatus status) {
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(processes.find(process).orElseThrow().status())
                                .isEqualTo(status));
    }
}
