package io.waybill.spring;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.command.BusinessKey;
import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRepository;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.AppendTo;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessLogRepository;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessRepository;
import io.waybill.runtime.Waybill;
import io.waybill.spring.beans.OnDataSource;
import io.waybill.store.NoTransactionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An instance on each of two data sources, with handlers, settings and tables of its own. */
final class TwoDataSourcesTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    WaybillAutoConfiguration.class,
                    WaybillHealthAutoConfiguration.class,
                    WaybillMetricsAutoConfiguration.class))
            .withUserConfiguration(Databases.class)
            .withPropertyValues("waybill.data-sources.reports.outbox.batch-size=7");

    @Test
    void each_has_its_own_outbox_handlers_processes_and_tables() {
        application
                .withUserConfiguration(Shop.class, Reports.class, Processes.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    var reports = context.getBean(Reports.class);
                    in(
                            context,
                            "reportsManager",
                            () -> reports.outbox.append(text("Ready").to("ready")));
                    in(
                            context,
                            "shopManager",
                            () -> context.getBean(Outbox.class)
                                    .append(text("Sold").to("ready")));
                    reports.commands
                            .send(new WriteReportCommand("year"), idempotencyKey("year"))
                            .await(SOON);
                    context.getBean(CommandBus.class)
                            .send(new SellCommand("lamp"), idempotencyKey("lamp"))
                            .await(SOON);
                    reports.processes.startProcess("Yearly", "2026", Map.of("name", "2026"));

                    await().atMost(SOON).untilAsserted(() -> {
                        assertThat(reports.heard).containsExactly("Ready");
                        assertThat(context.getBean(Shop.class).heard).containsExactly("Sold");
                        assertThat(reports.processes.search(ProcessQuery.ANY.about("2026")))
                                .extracting(process -> process.status())
                                .containsExactly(ProcessStatus.SUCCEEDED);
                    });
                    assertThat(rows(context, "reports", "SELECT DISTINCT type FROM command"))
                            .containsExactly("WriteReport");
                    assertThat(rows(context, "shop", "SELECT type FROM command"))
                            .containsExactly("Sell");
                    assertThat(rows(context, "shop", "SELECT process_type FROM process_instance"))
                            .isEmpty();
                    assertThat(context.getBean(SpringInstances.class).all())
                            .extracting(instance -> instance.settings().relay().batchSize())
                            .containsExactly(2_000, 7);
                });
    }

    @Test
    void what_is_known_about_processes_and_commands_is_injected_for_each_data_source() {
        application
                .withUserConfiguration(Shop.class, Reports.class, Processes.class)
                .run(context -> {
                    UUID process = context.getBean(Reports.class)
                            .processes
                            .startProcess("Yearly", "2027", Map.of("name", "2027"));
                    UUID command = context.getBean(CommandBus.class)
                            .accept(new SellCommand("desk"), idempotencyKey("desk"), BusinessKey.NONE);

                    var ofReports = context.getBean("reportsProcessRepository", ProcessRepository.class);
                    await().atMost(SOON)
                            .until(() -> ofReports
                                    .findById(process)
                                    .orElseThrow()
                                    .status()
                                    .isFinished());
                    assertThat(context.getBean("reportsProcessLogRepository", ProcessLogRepository.class)
                                    .findByProcessId(process))
                            .isNotEmpty();
                    assertThat(context.getBean("processRepository", ProcessRepository.class)
                                    .findById(process))
                            .isEmpty();
                    assertThat(context.getBean("processLogRepository", ProcessLogRepository.class)
                                    .findByProcessId(process))
                            .isEmpty();
                    assertThat(context.getBean("commandRepository", CommandRepository.class)
                                    .findById(command))
                            .isPresent();
                    assertThat(context.getBean("reportsCommandRepository", CommandRepository.class)
                                    .findById(command))
                            .isEmpty();
                    assertThat(context.getBean("autoCommandHandlerRegistry", AutoCommandHandlerRegistry.class)
                                    .types())
                            .contains("Sell")
                            .doesNotContain("WriteReport");
                    assertThat(context.getBean(ProcessLogRepository.class))
                            .as("one without a qualifier")
                            .isSameAs(context.getBean("processLogRepository"));
                });
    }

    @Test
    void an_append_commits_with_the_transaction_of_its_own_data_source_or_throws() {
        application.withUserConfiguration(Reports.class).run(context -> {
            Outbox ofReports = context.getBean(Reports.class).outbox;
            Outbox ofShop = context.getBean(Outbox.class);

            assertThatThrownBy(() -> in(
                            context,
                            "shopManager",
                            () -> ofReports.append(text("Lost").to("nowhere"))))
                    .isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> in(
                            context,
                            "reportsManager",
                            () -> ofShop.append(text("Lost").to("nowhere"))))
                    .isInstanceOf(NoTransactionException.class);
            in(
                    context,
                    "shopManager",
                    () -> in(context, "reportsManager", () -> {
                        ofReports.append(text("Inner").to("nowhere"));
                        ofShop.append(text("Outer").to("nowhere"));
                    }));
            in(context, "shopManager", () -> context.publishEvent(new Sold("lamp")));
            in(context, "reportsManager", () -> context.publishEvent(new Written("year")));

            assertThat(rows(context, "shop", "SELECT type FROM outbox ORDER BY id"))
                    .containsExactly("Outer", "Sold");
            assertThat(rows(context, "reports", "SELECT type FROM outbox ORDER BY id"))
                    .containsExactly("Inner", "Written");
        });
    }

    @Test
    void health_and_meters_tell_them_apart() {
        application.withUserConfiguration(Reports.class).run(context -> {
            in(
                    context,
                    "reportsManager",
                    () -> context.getBean(Reports.class)
                            .outbox
                            .append(text("Waiting").to("nowhere")));
            var registry = new SimpleMeterRegistry();
            context.getBean(SpringMeters.class).bindTo(registry);

            assertThat(context.getBean("waybillReadinessHealthIndicator", CompositeHealthContributor.class).stream()
                            .map(each -> each.name()))
                    .containsExactlyInAnyOrder("shop", "reports");
            assertThat(registry.getMeters())
                    .isNotEmpty()
                    .allSatisfy(meter ->
                            assertThat(meter.getId().getTag("datasource")).isIn("shop", "reports"));
        });
    }

    @Test
    void one_that_is_switched_off_is_not_there() {
        application
                .withPropertyValues("waybill.data-sources.reports.enabled=false")
                .run(context -> {
                    assertThat(context).hasSingleBean(Waybill.class);
                    assertThat(rows(
                                    context,
                                    "reports",
                                    "SELECT table_name FROM information_schema.tables"
                                            + " WHERE table_name IN ('outbox', 'OUTBOX')"))
                            .isEmpty();
                });
    }

    @Test
    void all_problems_of_all_data_sources_are_told_at_once() {
        application
                .withUserConfiguration(Shop.class, Twice.class, Reports.class, Lost.class)
                .withPropertyValues(
                        "waybill.outbox.batch-size=0",
                        "waybill.data-sources.reports.outbox.batch-size=-1",
                        "waybill.data-sources.reports.outbox.lease-time=long",
                        "waybill.data-sources.reports.handlers.concurency=3",
                        "waybill.data-sources.reports.initialize-schema=never",
                        "waybill.data-sources.repotrs.relays=1")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("8 settings of Waybill are wrong")
                        .hasStackTraceContaining("- waybill.outbox.batch-size = 0: ")
                        .hasStackTraceContaining("- waybill.data-sources.reports.outbox.batch-size = -1: ")
                        .hasStackTraceContaining("- waybill.data-sources.reports.outbox.lease-time = long: it must be")
                        .hasStackTraceContaining("- waybill.data-sources.reports.handlers.concurency: there is no such")
                        .hasStackTraceContaining("- waybill.data-sources.reports.initialize-schema = NEVER: The tables")
                        .hasStackTraceContaining("- waybill.data-sources.repotrs: there is no DataSource of this name."
                                + " There are: shop, reports.")
                        .hasStackTraceContaining(
                                "- handlers of commands: Ambiguous handler registration for command type" + " 'Sell'")
                        .hasStackTraceContaining("- @OnDataSource(\"archive\") on " + Lost.class.getName()));
    }

    @Test
    void replies_for_one_are_not_taken_by_the_other() {
        application
                .withUserConfiguration(Reports.class)
                .withPropertyValues("waybill.messaging.consumers.replies-from=kafka://localhost:1")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "waybill.data-sources.reports.commands.prefix = APP.CMD: the instance on"
                                        + " 'shop' receives replies from the same queue"));
    }

    private static Message text(String type) {
        return Message.event(type, type).as("text/plain");
    }

    private static void in(AssertableApplicationContext context, String manager, Runnable work) {
        new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.run());
    }

    private static List<String> rows(AssertableApplicationContext context, String dataSource, String sql) {
        return new JdbcTemplate(context.getBean(dataSource, DataSource.class)).queryForList(sql, String.class);
    }

    /** Two databases with their transactions. */
    @Configuration(proxyBeanMethods = false)
    static class Databases {
        @Bean
        @Primary
        DataSource shop() {
            return h2();
        }

        @Bean(defaultCandidate = false)
        DataSource reports() {
            return h2();
        }

        @Bean
        @Primary
        JdbcTransactionManager shopManager(DataSource shop) {
            return new JdbcTransactionManager(shop);
        }

        @Bean
        JdbcTransactionManager reportsManager(@Qualifier("reports") DataSource reports) {
            return new JdbcTransactionManager(reports);
        }

        private static DataSource h2() {
            var database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return database;
        }
    }

    /** Sells. */
    public record SellCommand(String item) implements DomainCommand {}

    /** Writes a report. */
    public record WriteReportCommand(String name) implements DomainCommand {}

    /** An event of the primary one. */
    @MessageType("Sold")
    @AppendTo("sold")
    record Sold(String item) {}

    /** An event of the second one. */
    @MessageType("Written")
    @AppendTo("written")
    @OnDataSource("reports")
    record Written(String name) {}

    /** Works on the primary data source. */
    static class Shop {
        final List<String> heard = new CopyOnWriteArrayList<>();

        public void sell(SellCommand command) {}

        @SubscribeTo("ready")
        public void hear(String what) {
            heard.add(what);
        }
    }

    /** Sells too. */
    static class Twice {
        public void sell(SellCommand command) {}
    }

    /** Works on the second data source. */
    @OnDataSource("reports")
    static class Reports {
        final List<String> heard = new CopyOnWriteArrayList<>();
        final Outbox outbox;
        final CommandBus commands;
        final ProcessManager processes;

        Reports(
                @Qualifier("reports") Outbox outbox,
                @Qualifier("reports") CommandBus commands,
                @Qualifier("reports") ProcessManager processes) {
            this.outbox = outbox;
            this.commands = commands;
            this.processes = processes;
        }

        public void write(WriteReportCommand command) {}

        @SubscribeTo("ready")
        public void hear(String what) {
            heard.add(what);
        }
    }

    /** The process of the second one. */
    @Configuration(proxyBeanMethods = false)
    static class Processes {
        @Bean
        @OnDataSource("reports")
        Yearly yearly() {
            return new Yearly();
        }
    }

    /** Works where there is nobody. */
    @OnDataSource("archive")
    static class Lost {
        @SubscribeTo("ready")
        public void hear(String what) {}
    }

    /** A process. */
    static final class Yearly implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Yearly";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(WriteReportCommand.class).end();
        }
    }
}
