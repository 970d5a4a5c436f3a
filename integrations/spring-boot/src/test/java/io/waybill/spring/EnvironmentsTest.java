package io.waybill.spring;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Profile;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.javapoet.ClassName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Where an application may run: profiles, connection details, a second class loader, a native image. */
final class EnvironmentsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final TestDatabase database = H2.newDatabase();

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void a_profile_brings_its_handlers_and_settings() {
        try (var context = application(Application.class)
                .profiles("quiet")
                .properties("waybill.table-prefix=q_")
                .run()) {
            assertThat(context.getBean(SpringInstances.class)
                            .primary()
                            .subscribers()
                            .handlers())
                    .containsExactly("Ear.hear", "Quiet.hear");
            assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM q_outbox", Long.class))
                    .isZero();
        }
    }

    @Test
    void connection_details_take_the_place_of_a_url() {
        try (var context = new SpringApplicationBuilder(Detailed.class)
                .web(WebApplicationType.NONE)
                .initializers(made -> made.getBeanFactory().registerSingleton("database", database))
                .properties(SpringFixture.WITHOUT_JPA)
                .run()) {
            append(context, "by details");

            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(context.getBean(Ear.class).heard).containsExactly("by details"));
        }
    }

    @Test
    void classes_that_are_loaded_again_are_those_that_handle() throws Exception {
        for (int restart = 1; restart <= 2; restart++) {
            var loader = new Reloading();
            Class<?> type = loader.loadClass(Application.class.getName());
            try (var context = application(type)
                    .resourceLoader(new DefaultResourceLoader(loader))
                    .run()) {
                Object ear = context.getBean(loader.loadClass(Ear.class.getName()));
                assertThat(ear).isNotInstanceOf(Ear.class);
                Object command = loader.loadClass(CountCommand.class.getName())
                        .getConstructor(int.class)
                        .newInstance(restart);

                context.getBean(CommandBus.class)
                        .send((DomainCommand) command, idempotencyKey("restart " + restart))
                        .await(SOON)
                        .as(Map.class);
                append(context, "again");

                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(ear.toString()).isEqualTo("[again, counted]"));
            }
        }
    }

    @Test
    void a_native_image_keeps_what_handlers_need() throws NoSuchMethodException {
        var context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "waybill.data-sources.dataSource.relays=0",
                        SpringFixture.WITHOUT_JPA)
                .applyTo(context);
        context.register(Application.class);
        var generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("io.waybill.spring", "Generated")), new InMemoryGeneratedFiles());

        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);

        var hints = generation.getRuntimeHints();
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Ear.class.getMethod("count", CountCommand.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Ear.class.getMethod("hear", Received.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(CountCommand.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/waybill/schema/h2/V004__command.sql"))
                .accepts(hints);
        context.close();
    }

    private SpringApplicationBuilder application(Class<?> type) {
        return new SpringApplicationBuilder(type)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        SpringFixture.WITHOUT_JPA);
    }

    private static void append(ConfigurableApplicationContext context, String what) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class)
                        .append(Message.event("Said", what).as("text/plain").to("heard")));
    }

    /** A command. */
    public record CountCommand(int number) implements DomainCommand {}

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Ear.class, Quiet.class})
    public static class Application {}

    /** The application, with the database given as a bean. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Ear.class)
    static class Detailed {
        @Bean
        JdbcConnectionDetails details(TestDatabase database) {
            return new JdbcConnectionDetails() {
                @Override
                public String getUsername() {
                    return database.user();
                }

                @Override
                public String getPassword() {
                    return database.password();
                }

                @Override
                public String getJdbcUrl() {
                    return database.jdbcUrl();
                }
            };
        }
    }

    /** Handles. */
    public static class Ear {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @SubscribeTo("heard")
        public void hear(Received<String> what) {
            heard.add(what.payload());
        }

        public Map<String, Integer> count(CountCommand command) {
            heard.add("counted");
            return Map.of("number", command.number());
        }

        @Override
        public String toString() {
            return heard.stream().sorted().toList().toString();
        }
    }

    /** Handles in one profile. */
    @Profile("quiet")
    public static class Quiet {
        @SubscribeTo("heard")
        public void hear(String what) {}
    }

    /** Loads the classes of this test a second time, as developer tools do when the application is restarted. */
    private static final class Reloading extends ClassLoader {
        Reloading() {
            super(EnvironmentsTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(EnvironmentsTest.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream in = Objects.requireNonNull(getResourceAsStream(name.replace('.', '/') + ".class"))) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
