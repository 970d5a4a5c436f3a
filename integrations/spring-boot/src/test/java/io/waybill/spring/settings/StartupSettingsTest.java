package io.waybill.spring.settings;

import static io.waybill.spring.TestApplication.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.relay.route.RelayOptions;
import io.waybill.spring.TestApplication;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an application is told about its settings when it starts. */
final class StartupSettingsTest {

    private final ApplicationContextRunner application = TestApplication.onH2();

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
                .withBean(TestApplication.Listener.class)
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
    void commands_are_kept_as_long_as_somebody_may_ask_for_them() {
        application
                .withUserConfiguration(TestApplication.Lonely.class)
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
}
