package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.UnhandledCommand;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.spring.settings.MisconfiguredFailureAnalyzer;
import io.waybill.spring.settings.SpringMisconfiguredException;
import io.waybill.spring.settings.SpringPoolCheck;
import io.waybill.spring.settings.SpringProblems;
import io.waybill.spring.settings.SpringSettings;
import io.waybill.spring.settings.WaybillProperties;
import io.waybill.testkit.services.broker.Artemis;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** When Waybill is there, and what it says when it cannot be. */
final class WaybillAutoConfigurationTest {

    private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceTransactionManagerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    WaybillHealthAutoConfiguration.class,
                    WaybillMetricsAutoConfiguration.class));

    private final ApplicationContextRunner application = withoutDatabase
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");

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
    void all_wrong_settings_are_told_at_once() {
        application
                .withPropertyValues(
                        "waybill.outbox.batch-size=0",
                        "waybill.outbox.sweep-interval=often",
                        "waybill.initialize-schema=sometimes",
                        "waybill.handlers.concurency=8",
                        "waybill.handlers.messages-per-commit=0",
                        "waybill.table-prefix=drop table;",
                        "waybill.inbox.retention=1d",
                        "waybill.relays=-1",
                        "waybill.routes[0].pattern=orders.*",
                        "waybill.routes[1].pattern=mail",
                        "waybill.routes[1].url=pigeon://loft")
                .run(context -> assertThat(problems(context))
                        .contains("10 settings of Waybill are wrong")
                        .contains("- waybill.outbox.batch-size = 0: batch-size (0) must be at least 1.")
                        .contains("- waybill.outbox.sweep-interval = often: it must be a duration")
                        .contains("- waybill.initialize-schema = sometimes: it must be one of always, embedded, never")
                        .contains("- waybill.handlers.concurency: there is no such setting")
                        .contains(
                                "- waybill.handlers.messages-per-commit = 0: messages-per-commit (0) must be at least 1.")
                        .contains("- waybill.table-prefix = ***: The table prefix")
                        .contains("- waybill.inbox.retention = PT24H: ")
                        .contains("- waybill.relays = -1: ")
                        .contains("- waybill.routes[0].url is not set: ")
                        .contains("- waybill.routes[1] = mail to pigeon://loft: "));
    }

    @Test
    void tables_that_are_missing_are_told_with_how_to_make_them() {
        application
                .withPropertyValues("waybill.initialize-schema=never", "waybill.mq.passwrod=s3cret")
                .run(context ->
                        assertThat(analyzed(context)).contains("waybill.mq.passwrod: there is no such setting"));
        application
                .withPropertyValues("waybill.initialize-schema=never")
                .run(context -> assertThat(analyzed(context))
                        .contains("waybill.initialize-schema = NEVER: ")
                        .contains("table outbox is missing")
                        .contains("waybill schema print"));
    }

    @Test
    void a_user_who_may_not_make_tables_is_told_who_may() throws SQLException {
        String url = "jdbc:h2:mem:" + UUID.randomUUID();
        try (var admin = DriverManager.getConnection(url, "sa", "");
                var statement = admin.createStatement()) {
            statement.execute("CREATE USER poor PASSWORD 'poor'");
            application
                    .withPropertyValues(
                            "spring.datasource.url=" + url,
                            "spring.datasource.username=poor",
                            "spring.datasource.password=poor")
                    .run(context -> assertThat(analyzed(context))
                            .contains("waybill.initialize-schema = ALWAYS: Could not create the tables: ")
                            .contains("waybill schema print")
                            .contains("set initialize-schema to never"));
        }
    }

    private static String analyzed(AssertableApplicationContext context) {
        var analysis = new MisconfiguredFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure()));
        return analysis == null ? "" : analysis.getDescription();
    }

    @Test
    void the_value_of_a_misspelt_key_is_nobodys_business() {
        application
                .withPropertyValues("waybill.mq.passwrod=s3cret")
                .run(context -> assertThat(problems(context))
                        .contains("- waybill.mq.passwrod: there is no such setting")
                        .doesNotContain("s3cret"));
    }

    @Test
    void values_that_cannot_be_read_are_told_with_what_they_may_be() {
        application
                .withPropertyValues(
                        "waybill.relays=many",
                        "waybill.signals=perhaps",
                        "waybill.routes[0].pattern=orders.*",
                        "waybill.routes[0].url=stdout:",
                        "waybill.routes[0].format=xml",
                        "waybill.routes[0].on-exhausted=explode",
                        "waybill.routes[0].retries=3")
                .run(context -> assertThat(problems(context))
                        .contains("5 settings of Waybill are wrong")
                        .contains("- waybill.relays = many: it must be a whole number.")
                        .contains("- waybill.signals = perhaps: it must be true or false.")
                        .contains("- waybill.routes[0].format = xml: it must be one of plain, cloudevents-binary,")
                        .contains("- waybill.routes[0].on-exhausted = explode: it must be one of park, skip, block.")
                        .contains("- waybill.routes[0].retries: there is no such setting"));
    }

    @Test
    void brokers_that_nothing_can_come_from_are_told_with_the_rest() {
        application
                .withBean(Listener.class)
                .withPropertyValues(
                        "waybill.outbox.batch-size=0",
                        "waybill.routes[0].url=stdout:",
                        "waybill.commands.prefix=a b",
                        "waybill.messaging.consumers.sources[0].pattern=order.*",
                        "waybill.messaging.consumers.sources[0].url=pigeon://me:secret@loft",
                        "waybill.messaging.consumers.sources[1].url=kafka://localhost:9092",
                        "waybill.messaging.consumers.commands-from=stdout:",
                        "waybill.messaging.consumers.replies-from=amqp://localhost")
                .run(context -> assertThat(problems(context))
                        .contains("- waybill.outbox.batch-size = 0: ")
                        .contains("- waybill.routes[0].pattern is not set: ")
                        .contains(
                                "- waybill.messaging.consumers.sources[0].url = pigeon://***@loft: Nothing here opens")
                        .contains("- waybill.messaging.consumers.sources[0].pattern = order.*: no @SubscribeTo of this"
                                + " application is for such a destination: they are for orders.placed.")
                        .contains("- waybill.messaging.consumers.sources[1].pattern is not set: ")
                        .contains(
                                "- waybill.messaging.consumers.commands-from = stdout:: Messages can be sent to stdout: but"
                                        + " not received from there")
                        .contains("- waybill.messaging.consumers.replies-from = amqp://localhost: Nothing here opens")
                        .contains("add io.waybill:waybill-rabbitmq to the class path")
                        .doesNotContain("secret"));
    }

    @Test
    void handlers_must_leave_room_in_the_connection_pool() {
        application
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=8", "waybill.handlers.concurrency=8")
                .run(context -> assertThat(problems(context))
                        .contains(
                                "- waybill.handlers.concurrency = 8: 1 relay with 8 handlers each may take 9 connections"
                                        + " at once, and the pool has 8.")
                        .contains("maximum-pool-size) to 16, or lower the concurrency"));
        application
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=7")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void handlers_that_may_take_more_than_half_of_the_pool_are_a_warning() {
        var pool = application
                .withBean(Listener.class)
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
                .withBean(Listener.class)
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
        return warnings(application, SpringPoolCheck.class);
    }

    private static List<String> warnings(ApplicationContextRunner application, Class<?> from) {
        var lines = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(from);
        lines.start();
        logger.addAppender(lines);
        try {
            application.run(context -> assertThat(context).hasNotFailed());
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void commands_are_kept_as_long_as_somebody_may_ask_for_them() {
        application
                .withUserConfiguration(Lonely.class)
                .withPropertyValues(
                        "waybill.commands.retention=5", "waybill.messaging.consumers.commands-from=kafka://a")
                .run(context -> assertThat(problems(context))
                        .contains(
                                "- waybill.commands.retention = PT120H: it must be at least waybill.processes.retention"
                                        + " (PT720H)")
                        .contains("- waybill.commands.retention = PT120H: it must be longer than"
                                + " waybill.inbox.redelivery-window (PT168H)"));
        application
                .withPropertyValues("waybill.commands.retention=5")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void messages_of_different_keys_share_a_commit_where_a_setting_says_so() {
        application
                .withPropertyValues("waybill.handlers.messages-per-commit=50")
                .run(context -> assertThat(relay(context).messagesPerCommit()).isEqualTo(50));
        application.run(
                context -> assertThat(relay(context).messagesPerCommit()).isEqualTo(1));
    }

    private static RelayOptions relay(AssertableApplicationContext context) {
        return new SpringSettings(
                        context.getBean(WaybillProperties.class), new SpringProblems(), Duration.ofSeconds(30), "")
                .relay();
    }

    @Test
    void plain_numbers_have_the_unit_of_their_setting() {
        application
                .withPropertyValues(
                        "waybill.outbox.sweep-interval=500",
                        "waybill.outbox.claim-timeout=30",
                        "waybill.outbox.retention=2",
                        "waybill.inbox.retention=40")
                .run(context -> {
                    var settings = context.getBean(WaybillProperties.class);
                    assertThat(settings.outbox().sweepInterval()).hasMillis(500);
                    assertThat(settings.outbox().claimTimeout()).hasSeconds(30);
                    assertThat(settings.outbox().retention()).hasDays(2);
                    assertThat(settings.inbox().retention()).hasDays(40);
                });
    }

    @Test
    void a_database_is_needed() {
        withoutDatabase.run(context -> assertThat(problems(context))
                .contains("waybill.data-source is not set: Waybill needs a database, but there is no DataSource:"
                        + " set spring.datasource.url"));
    }

    @Test
    void without_a_database_the_other_problems_are_told_too() {
        withoutDatabase
                .withPropertyValues("waybill.outbox.batch-size=0")
                .run(context -> assertThat(problems(context))
                        .contains("waybill.data-source is not set")
                        .contains("waybill.outbox.batch-size = 0"));
    }

    @Test
    void of_two_databases_one_must_be_chosen() {
        withoutDatabase
                .withUserConfiguration(TwoDatabases.class)
                .run(context -> assertThat(problems(context))
                        .contains(
                                "waybill.data-source is not set: there are 2 beans of type DataSource and none is primary:"
                                        + " set it to one of orders, reports."));
        withoutDatabase
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("waybill.data-source=order")
                .run(context -> assertThat(problems(context))
                        .contains("waybill.data-source = order: there is no DataSource of this name."
                                + " There are: orders, reports."));
        withoutDatabase
                .withUserConfiguration(TwoDatabases.class, PrimaryDatabase.class)
                .run(context -> assertThat(context).hasSingleBean(Outbox.class));
    }

    @Test
    void a_process_whose_command_nobody_handles_is_named() {
        ApplicationContextRunner lonely = application.withUserConfiguration(Lonely.class);
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
                .withBean(Listener.class)
                .withPropertyValues("waybill.routes[0].pattern=orders.*", "waybill.routes[0].url=stdout:")
                .run(context -> assertThat(problems(context))
                        .contains("@SubscribeTo on Listener.on = orders.placed: it would never get a message"));
        application
                .withBean(Listener.class)
                .withPropertyValues(
                        "waybill.routes[0].pattern=orders.placed",
                        "waybill.routes[0].url=local:",
                        "waybill.routes[1].pattern=orders.*",
                        "waybill.routes[1].url=stdout:")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static String problems(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        for (Throwable cause = context.getStartupFailure(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SpringMisconfiguredException) {
                return String.valueOf(cause.getMessage());
            }
        }
        throw new AssertionError("It failed for another reason.", context.getStartupFailure());
    }

    private static DataSource database() {
        var database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return database;
    }

    /** Two databases, none of them first. */
    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        DataSource orders() {
            return database();
        }

        @Bean
        DataSource reports() {
            return database();
        }
    }

    /** The one that is meant. */
    @Configuration(proxyBeanMethods = false)
    static class PrimaryDatabase {
        @Bean
        @Primary
        DataSource main() {
            return database();
        }
    }

    /** Nobody handles it. */
    public record WaitCommand() implements DomainCommand {}

    /** Sends a command that nobody handles. */
    static final class Lonely implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Lonely";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(WaitCommand.class).end();
        }
    }

    /** Listens to what the application appends. */
    static final class Other {
        @SubscribeTo("mails.sent")
        public void on(String mail) {}
    }

    /** Listens to orders. */
    static final class Listener {
        @SubscribeTo("orders.placed")
        public void on(String order) {}
    }
}
