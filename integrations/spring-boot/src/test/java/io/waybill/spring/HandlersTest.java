package io.waybill.spring;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandBus;
import io.waybill.command.CommandHandler;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.contract.framework.FrameworkHandlersContract;
import io.waybill.testkit.services.broker.Artemis;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

final class HandlersTest extends FrameworkHandlersContract {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    WaybillAutoConfiguration.class))
            .withInitializer(context -> context.getBeanFactory().registerScope("request", new SimpleThreadScope()))
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");

    @Override
    protected Throwable refusal(Kind... kinds) {
        return refusal(Arrays.stream(kinds)
                .map(kind -> kind == Kind.HIDDEN_BY_INTERFACE ? Hiding.class : handler(kind))
                .toArray(Class<?>[]::new));
    }

    private Throwable refusal(Class<?>... beans) {
        var failure = new Throwable[1];
        application
                .withUserConfiguration(beans)
                .run(context -> failure[0] = Objects.requireNonNull(context.getStartupFailure(), "it has started"));
        return failure[0];
    }

    @Override
    protected Class<?> handler(Kind kind) {
        return switch (kind) {
            case PROTOTYPE -> Prototype.class;
            case REQUEST_SCOPE -> OfRequest.class;
            case HIDDEN_BY_INTERFACE -> Hidden.class;
            case ASYNC -> Asynchronous.class;
            case FUTURE -> Later.class;
            case ISOLATION -> Isolated.class;
            case UNRESOLVED -> Unresolved.class;
            case SUSPENDING -> Suspending.class;
        };
    }

    @Test
    void a_method_that_a_proxy_cannot_pass_on_is_refused() {
        assertThat(refusal(PrivateHandler.class, FinalHandler.class))
                .hasStackTraceContaining(PrivateHandler.class.getName() + ".handle: it is private")
                .hasStackTraceContaining(FinalHandler.class.getName() + ".handle: it is final");
    }

    @Test
    void a_method_that_a_proxy_cannot_pass_on_is_told_with_settings_tables_and_ambiguities() {
        application
                .withUserConfiguration(
                        FinalHandler.class, Plain.class, Configured.class, Another.class, SecondToo.class)
                .withPropertyValues("waybill.outbox.batch-size=0", "waybill.initialize-schema=never")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("5 settings of Waybill are wrong")
                        .hasStackTraceContaining(FinalHandler.class.getName() + ".handle: it is final")
                        .hasStackTraceContaining("waybill.outbox.batch-size = 0")
                        .hasStackTraceContaining("waybill.initialize-schema = NEVER: The tables do not fit")
                        .hasStackTraceContaining("Ambiguous handler registration for command type 'First'")
                        .hasStackTraceContaining("Ambiguous handler registration for command type 'Second'"));
    }

    @Test
    void a_method_that_a_proxy_of_interfaces_does_not_have_is_refused() {
        application
                .withUserConfiguration(OfInterface.class, Interfaces.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining(OfInterface.class.getName()
                                + ".handle: the bean is wrapped in a proxy of its interfaces"));
    }

    @Test
    void methods_that_the_proxies_of_other_aspects_cannot_pass_on_are_told_with_the_rest() {
        application
                .withUserConfiguration(Audits.class, AuditedFinal.class, AuditedClass.class, AuditedInterface.class)
                .withPropertyValues("waybill.outbox.batch-size=0", "spring.aop.proxy-target-class=false")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("4 settings of Waybill are wrong")
                        .hasStackTraceContaining("waybill.outbox.batch-size = 0")
                        .hasStackTraceContaining(AuditedFinal.class.getName() + ".handle: it is final")
                        .hasStackTraceContaining(AuditedClass.class.getName() + ".handle: its class is final")
                        .hasStackTraceContaining(AuditedInterface.class.getName()
                                + ".handle: the bean is wrapped in a proxy of its interfaces"));
    }

    @Test
    void a_handler_in_a_class_of_configuration_has_the_name_that_was_written() {
        application.withUserConfiguration(Configured.class).run(context -> {
            context.getBean(CommandBus.class)
                    .send(new FirstCommand("o-1"), idempotencyKey("o-1"))
                    .await(Duration.ofSeconds(20));

            assertThat(context.getBean(SpringInstances.class)
                            .primary()
                            .subscribers()
                            .handlers())
                    .containsExactly("Configured.hear");
        });
    }

    @Test
    void a_handler_that_the_inbox_knows_under_springs_name_is_not_called_twice() {
        try (var artemis = Artemis.start()) {
            artemis.createQueue("heard");
            String url = artemis.url().replace("tcp:", "jms+artemis:");
            var brokered = application.withPropertyValues(
                    "waybill.routes[0].pattern=heard",
                    "waybill.routes[0].url=" + url,
                    "waybill.messaging.consumers.sources[0].pattern=heard",
                    "waybill.messaging.consumers.sources[0].url=" + url);
            String former = "HandlersTest$Configured$$SpringCGLIB$$0.hear";
            application.run(context -> handled(context, UUID.randomUUID(), former));

            brokered.withUserConfiguration(Configured.class).run(context -> {
                assertThat(context.getBean(SpringInstances.class)
                                .primary()
                                .subscribers()
                                .handlers())
                        .containsExactly(former);
                Outbox outbox = context.getBean(Outbox.class);
                var transactions = context.getBean(Waybill.class).transactions();
                transactions.inTransaction(transaction -> handled(
                        context,
                        outbox.append(Message.event("Heard", "before")
                                .as("text/plain")
                                .to("heard")),
                        former));
                transactions.inTransaction(transaction -> outbox.append(
                        Message.event("Heard", "now").as("text/plain").to("heard")));

                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(context.getBean(Configured.class).heard)
                                .contains("now"));
                assertThat(context.getBean(Configured.class).heard).containsExactly("now");
            });
        }
    }

    private static boolean handled(AssertableApplicationContext context, UUID message, String handler) {
        return new JdbcTemplate(context.getBean(DataSource.class))
                        .update("INSERT INTO inbox (message_id, handler) VALUES (?, ?)", message.toString(), handler)
                == 1;
    }

    @Test
    void a_scoped_bean_that_needs_no_request_may_handle() {
        application
                .withUserConfiguration(OfThread.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void ambiguous_handlers_are_told_with_their_packages() {
        assertThat(refusal(Configured.class, Another.class))
                .hasStackTraceContaining(Configured.class.getName() + ".first")
                .hasStackTraceContaining(Another.class.getName() + ".first");
    }

    /** Commands, one for each handler. */
    public record FirstCommand(String order) implements DomainCommand {}

    /** Another one. */
    public record SecondCommand(String order) implements DomainCommand {}

    /** Another one. */
    public record ThirdCommand(String order) implements DomainCommand {}

    @Scope("prototype")
    static class Prototype {
        public void handle(FirstCommand command) {}
    }

    @Scope(scopeName = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class OfRequest {
        public void handle(FirstCommand command) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OfThread {
        @Bean
        static CustomScopeConfigurer threads() {
            var scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Plain plain() {
            return new Plain();
        }
    }

    static class Plain {
        public void handle(FirstCommand command) {}
    }

    /** Says nothing of commands. */
    interface Silent {}

    static class Hidden implements Silent {
        @SubscribeTo("hidden")
        public void handle(String what) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Hiding {
        @Bean
        Silent silent(Outbox outbox) {
            assertThat(outbox).as("it is made after Waybill").isNotNull();
            return new Hidden();
        }
    }

    static class Asynchronous {
        @Async
        public void handle(SecondCommand command) {}
    }

    static class Later {
        public CompletableFuture<String> handle(FirstCommand command) {
            return CompletableFuture.completedFuture(command.order());
        }
    }

    static class Isolated {
        @Transactional(isolation = Isolation.SERIALIZABLE)
        public void handle(FirstCommand command) {}
    }

    static class Unresolved {
        @SubscribeTo("${shop.nowhere}")
        public void handle(String what) {}
    }

    /** What the compiler of Kotlin makes of a suspend function. */
    static class Suspending {
        public Object handle(ThirdCommand command, Continuation<? super Unit> continuation) {
            return Unit.INSTANCE;
        }
    }

    @Transactional
    static class PrivateHandler {
        @CommandHandler
        @SuppressWarnings("unused")
        private void handle(FirstCommand command) {}

        public void other() {}
    }

    @Transactional
    static class FinalHandler {
        public final void handle(SecondCommand command) {}
    }

    /** Has no command. */
    public interface Marked {
        void other();
    }

    @Transactional
    static class OfInterface implements Marked {
        public void handle(ThirdCommand command) {}

        @Override
        public void other() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = false)
    static class Interfaces {}

    /** What an aspect of the application looks for. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Audited {}

    @Configuration(proxyBeanMethods = false)
    static class Audits {
        @Bean
        static DefaultAdvisorAutoProxyCreator proxies() {
            return new DefaultAdvisorAutoProxyCreator();
        }

        @Bean
        static Advisor audit() {
            return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(Audited.class), (MethodInterceptor)
                    invocation -> invocation.proceed());
        }
    }

    @Audited
    static class AuditedFinal {
        public final void handle(FirstCommand command) {}
    }

    /** Spring would say it of others before Waybill is made. */
    @Audited
    static final class AuditedClass {
        AuditedClass(Outbox outbox) {
            assertThat(outbox).isNotNull();
        }

        public void handle(SecondCommand command) {}
    }

    @Audited
    static class AuditedInterface implements Marked {
        public void handle(ThirdCommand command) {}

        @Override
        public void other() {}
    }

    @Configuration
    static class Configured {
        final List<String> heard = new CopyOnWriteArrayList<>();

        /** Without any, Spring makes no subclass. */
        @Bean
        String anything() {
            return "";
        }

        public void first(FirstCommand command) {}

        @SubscribeTo("heard")
        public void hear(String what) {
            heard.add(what);
        }
    }

    static class SecondToo {
        public void second(SecondCommand command) {}
    }

    static class Another {
        public void first(FirstCommand command) {}
    }
}
