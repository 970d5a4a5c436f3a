package io.waybill.command.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.command.CommandHandler;
import io.waybill.command.DomainCommand;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AutoCommandHandlerRegistryTest {

    record CreateOrderCommand(String customer) implements DomainCommand {}

    record CancelOrderCommand(String order) implements DomainCommand {}

    record Renamed(String order) implements DomainCommand {}

    static class OrderService {
        public String createOrder(CreateOrderCommand command) {
            return "order of " + command.customer();
        }

        public void twoParameters(CancelOrderCommand command, int times) {}

        public void anyCommand(DomainCommand command) {}

        void notPublic(CancelOrderCommand command) {}
    }

    /** As a framework makes one: a subclass that does something around the call. */
    static final class TransactionalOrderService extends OrderService {
        @Override
        public String createOrder(CreateOrderCommand command) {
            return "in a transaction: " + super.createOrder(command);
        }
    }

    static final class OtherService {
        public void create(CreateOrderCommand command) {}
    }

    static final class AnnotatedService {
        @CommandHandler
        String mine(CreateOrderCommand command) {
            return "annotated";
        }
    }

    static final class BadlyNamed {
        public void rename(Renamed command) {}
    }

    @Test
    void finds_public_methods_with_one_command() throws Throwable {
        var registry = AutoCommandHandlerRegistry.of(new OrderService());

        assertThat(registry.types()).containsExactly("CreateOrder");
        assertThat(registry.handler("CreateOrder").handle(new CreateOrderCommand("Ada")))
                .isEqualTo("order of Ada");
        assertThat(registry.describe())
                .contains("Command handlers (1)", "CreateOrder  " + OrderService.class.getName() + ".createOrder(");
    }

    @Test
    void prefers_the_proxy_to_the_bean_behind_it() throws Throwable {
        var registry = AutoCommandHandlerRegistry.of(List.of(
                HandlerCandidate.of(new OrderService()),
                new HandlerCandidate(new TransactionalOrderService(), OrderService.class, true)));

        assertThat(registry.handler("CreateOrder").handle(new CreateOrderCommand("Ada")))
                .isEqualTo("in a transaction: order of Ada");
    }

    @Test
    void a_bean_that_is_made_later_is_asked_for_with_its_first_command() throws Throwable {
        var asked = new AtomicInteger();
        var registry = AutoCommandHandlerRegistry.of(List.of(HandlerCandidate.later(
                () -> {
                    asked.incrementAndGet();
                    return new TransactionalOrderService();
                },
                OrderService.class,
                true)));
        assertThat(asked).hasValue(0);

        assertThat(registry.handler("CreateOrder").handle(new CreateOrderCommand("Ada")))
                .isEqualTo("in a transaction: order of Ada");
        registry.handler("CreateOrder").handle(new CreateOrderCommand("Bob"));
        assertThat(asked).hasValue(1);
    }

    @Test
    void refuses_two_implementations_and_names_both() {
        assertThatThrownBy(() -> AutoCommandHandlerRegistry.of(new OrderService(), new OtherService()))
                .hasMessageContaining("Ambiguous handler registration for command type 'CreateOrder'")
                .hasMessageContaining("OrderService.createOrder")
                .hasMessageContaining("OtherService.create");
    }

    interface Cancels {
        default String cancel(CancelOrderCommand command) {
            return "cancelled " + command.order();
        }
    }

    static class CancellingService implements Cancels {}

    static final class OwnCancellingService extends CancellingService {
        @Override
        public String cancel(CancelOrderCommand command) {
            return "in its own way: " + super.cancel(command);
        }
    }

    @Test
    void refuses_two_classes_that_differ_in_their_packages_only() {
        assertThatThrownBy(() -> AutoCommandHandlerRegistry.of(new OrderService(), new Elsewhere.OrderService()))
                .hasMessageContaining("2 different implementations")
                .hasMessageContaining(OrderService.class.getName())
                .hasMessageContaining(Elsewhere.OrderService.class.getName());
    }

    @Test
    void refuses_two_instances_of_one_class_but_not_the_same_one_given_twice() {
        var service = new OrderService();
        assertThat(AutoCommandHandlerRegistry.of(service, service).types()).containsExactly("CreateOrder");
        assertThatThrownBy(() -> AutoCommandHandlerRegistry.of(service, new OrderService()))
                .hasMessageContaining("2 instances of " + OrderService.class.getName());
    }

    @Test
    void refuses_two_commands_of_one_name() {
        assertThatThrownBy(() -> AutoCommandHandlerRegistry.of(new Elsewhere.Cancelling()))
                .hasMessageContaining("command type 'CancelOrder'")
                .hasMessageContaining(CancelOrderCommand.class.getName())
                .hasMessageContaining(Elsewhere.CancelOrderCommand.class.getName());
    }

    @Test
    void finds_methods_that_an_interface_implements_unless_the_class_has_its_own() throws Throwable {
        var command = new CancelOrderCommand("7");
        assertThat(AutoCommandHandlerRegistry.of(new CancellingService())
                        .handler("CancelOrder")
                        .handle(command))
                .isEqualTo("cancelled 7");
        assertThat(AutoCommandHandlerRegistry.of(new OwnCancellingService())
                        .handler("CancelOrder")
                        .handle(command))
                .isEqualTo("in its own way: cancelled 7");
    }

    @Test
    void an_annotated_method_wins() throws Throwable {
        var registry = AutoCommandHandlerRegistry.of(new OrderService(), new AnnotatedService());

        assertThat(registry.handler("CreateOrder").handle(new CreateOrderCommand("Ada")))
                .isEqualTo("annotated");
    }

    @Test
    void refuses_a_command_whose_name_does_not_end_in_command() {
        assertThatThrownBy(() -> AutoCommandHandlerRegistry.of(new BadlyNamed()))
                .hasMessageContaining("Rename it to RenamedCommand");
    }

    @Test
    void an_unknown_type_is_answered_with_what_to_look_at() {
        assertThatThrownBy(
                        () -> AutoCommandHandlerRegistry.of(new OrderService()).handler("CancelOrder"))
                .hasMessageContaining("Unknown command type: CancelOrder")
                .hasMessageContaining("CancelOrderCommand")
                .hasMessageContaining("exactly one parameter")
                .hasMessageContaining("Known here: CreateOrder");
    }
}
