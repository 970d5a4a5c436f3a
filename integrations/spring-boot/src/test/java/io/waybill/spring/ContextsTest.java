package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.inbox.SubscribeTo;
import io.waybill.message.AppendTo;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.outbox.Outbox;
import io.waybill.store.NoTransactionException;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Events and relays where there is more than one context, or more than one thread. */
final class ContextsTest {

    private final TestDatabase database = H2.newDatabase();

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void an_event_is_appended_in_its_transaction_although_events_are_published_by_other_threads() {
        try (var context = application(Asynchronous.class).run()) {
            TransactionTemplate transaction = transaction(context);

            transaction.executeWithoutResult(status -> context.publishEvent(new Told("kept")));
            transaction.executeWithoutResult(status -> {
                context.publishEvent(new Told("gone"));
                status.setRollbackOnly();
            });

            assertThat(told(context)).containsExactly("{\"what\":\"kept\"}");
            assertThatThrownBy(() -> context.publishEvent(new Told("nowhere")))
                    .hasMessageContaining("needs an open transaction");
        }
    }

    @Test
    void an_event_that_cannot_be_appended_fails_its_publisher_although_errors_of_listeners_are_suppressed() {
        try (var context = application(Suppressing.class).run()) {
            TransactionTemplate transaction = transaction(context);

            assertThatThrownBy(() -> context.publishEvent(new Told("without a transaction")))
                    .isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        context.getBean(JdbcTemplate.class).update("INSERT INTO own VALUES ('o-1')");
                        context.publishEvent(new Unwritable(null));
                    }))
                    .hasStackTraceContaining("Unwritable");
            context.publishEvent(new Bad());

            assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM own", Long.class))
                    .isZero();
            assertThat(context.getBean(Suppressing.class).suppressed).containsExactly("bad listener");
        }
    }

    @Test
    void a_multicaster_that_tells_its_publishers_nothing_is_refused() {
        assertThatThrownBy(() -> application(Mute.class).run())
                .hasStackTraceContaining("(applicationEventMulticaster): it keeps exceptions of listeners to itself");
    }

    @Test
    void an_event_of_a_child_context_is_appended_once_and_closing_the_child_stops_nothing() {
        try (var parent =
                application(Parent.class).properties("waybill.relays=1").run()) {
            try (var child = new SpringApplicationBuilder(Child.class)
                    .parent(parent)
                    .web(WebApplicationType.NONE)
                    .run()) {
                transaction(parent).executeWithoutResult(status -> child.publishEvent(new Told("by the child")));
                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(told(parent)).isNotEmpty());
                assertThat(told(parent)).containsExactly("{\"what\":\"by the child\"}");
                assertThat(child.getBean(Outbox.class)).isSameAs(parent.getBean(Outbox.class));
            }

            transaction(parent)
                    .executeWithoutResult(status -> parent.getBean(Outbox.class)
                            .append(Message.event("Said", "later")
                                    .as("text/plain")
                                    .to("heard")));

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(parent.getBean(Ear.class).heard).containsExactly("later"));
        }
    }

    @Test
    void a_handler_in_a_child_context_is_refused_because_nobody_would_find_it() {
        try (var parent = application(Child.class).run()) {
            assertThatThrownBy(() -> new SpringApplicationBuilder(Parent.class)
                            .parent(parent)
                            .web(WebApplicationType.NONE)
                            .run())
                    .hasStackTraceContaining(Ear.class.getName() + ".hear: Waybill is in a parent of this context");
        }
    }

    private SpringApplicationBuilder application(Class<?> type) {
        return new SpringApplicationBuilder(type)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        SpringFixture.WITHOUT_JPA,
                        "waybill.relays=0");
    }

    private static TransactionTemplate transaction(ConfigurableApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private static List<String> told(ConfigurableApplicationContext context) {
        return context.getBean(JdbcTemplate.class)
                .queryForList("SELECT payload FROM outbox WHERE destination = 'told'", String.class);
    }

    /** An event. */
    @MessageType("Told")
    @AppendTo("told")
    record Told(String what) {}

    /** Has a subscriber. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Ear.class)
    static class Parent {}

    /** Has none. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Child {}

    /** Publishes its events with other threads. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Asynchronous {
        @Bean
        ApplicationEventMulticaster applicationEventMulticaster() {
            var multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
            return multicaster;
        }
    }

    /** An event that no codec writes. */
    @MessageType("Unwritable")
    @AppendTo("told")
    record Unwritable(@Nullable Unwritable itself) {
        @Override
        public Unwritable itself() {
            return this;
        }
    }

    /** An event of the application alone. */
    record Bad() {}

    /** Keeps its listeners' exceptions from its publishers. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Suppressing {
        final List<String> suppressed = new CopyOnWriteArrayList<>();

        Suppressing(JdbcTemplate jdbc) {
            jdbc.execute("CREATE TABLE own (id VARCHAR(40))");
        }

        @Bean
        static ApplicationEventMulticaster applicationEventMulticaster(ObjectProvider<Suppressing> own) {
            var multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setErrorHandler(e -> own.getObject().suppressed.add(e.getMessage()));
            return multicaster;
        }

        @EventListener
        void on(Bad event) {
            throw new IllegalStateException("bad listener");
        }
    }

    /** Says nothing at all. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Mute {
        @Bean
        ApplicationEventMulticaster applicationEventMulticaster() {
            return new SimpleApplicationEventMulticaster() {
                @Override
                protected void invokeListener(ApplicationListener<?> listener, ApplicationEvent event) {
                    try {
                        super.invokeListener(listener, event);
                    } catch (RuntimeException e) {
                        // It is lost here.
                    }
                }
            };
        }
    }

    /** A subscriber. */
    static class Ear {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @SubscribeTo("heard")
        public void hear(String what) {
            heard.add(what);
        }
    }
}
