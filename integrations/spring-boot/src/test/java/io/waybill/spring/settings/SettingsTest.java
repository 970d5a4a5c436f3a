package io.waybill.spring.settings;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.outbox.Outbox;
import io.waybill.spring.SpringFixture;
import io.waybill.testkit.contract.framework.FrameworkSettingsContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** With everything that Spring Boot says of an application that does not start. */
final class SettingsTest extends FrameworkSettingsContract {

    @Override
    protected Application start(TestDatabase database, Map<String, String> settings) {
        return new Running(builder(database, settings).run());
    }

    @Override
    protected String outputOf(TestDatabase database, Map<String, String> settings) {
        var logger = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        var logged = new ListAppender<ILoggingEvent>();
        logged.start();
        var thrown = new StringWriter();
        // Spring Boot has set up its log by then.
        var builder = builder(database, settings).initializers(context -> logger.addAppender(logged));
        try (ConfigurableApplicationContext context = builder.run()) {
            context.getBean(Outbox.class);
        } catch (RuntimeException e) {
            e.printStackTrace(new PrintWriter(thrown));
        } finally {
            logger.detachAppender(logged);
        }
        return logged.list.stream()
                        .map(event ->
                                event.getFormattedMessage() + ThrowableProxyUtil.asString(event.getThrowableProxy()))
                        .collect(Collectors.joining("\n"))
                + thrown;
    }

    private static SpringApplicationBuilder builder(TestDatabase database, Map<String, String> settings) {
        var all = new ArrayList<String>();
        settings.forEach((key, value) -> all.add(key + "=" + value));
        all.add(SpringFixture.WITHOUT_JPA);
        all.add("spring.datasource.url=" + database.jdbcUrl());
        all.add("spring.datasource.username=" + database.user());
        return new SpringApplicationBuilder(Minimal.class)
                .web(WebApplicationType.NONE)
                .properties(all.toArray(String[]::new));
    }

    @Override
    protected List<String> keys() {
        try (var file = SettingsTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            var keys = new ArrayList<>(List.of(
                    "waybill.routes[0].pattern",
                    "waybill.routes[0].url",
                    "waybill.routes[0].format",
                    "waybill.messaging.consumers.sources[0].pattern",
                    "waybill.messaging.consumers.sources[0].url",
                    "waybill.data-sources.other.mq.password",
                    "waybill.data-sources.dataSource.outbox.batch-size"));
            for (JsonNode property :
                    JsonMapper.shared().readTree(Objects.requireNonNull(file)).get("properties")) {
                keys.add(property.get("name").asString());
            }
            return keys;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Map<String, String> route(int number, String pattern, String url) {
        String key = "waybill.routes[" + number + "].";
        return Map.of(key + "pattern", pattern, key + "url", url);
    }

    /** An application that has nothing but Waybill. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Minimal {}

    private record Running(ConfigurableApplicationContext context) implements Application {
        @Override
        public Outbox outbox() {
            return context.getBean(Outbox.class);
        }

        @Override
        public void inTransaction(Runnable work) {
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> work.run());
        }

        @Override
        public Map<String, Object> readiness() {
            Health health = context.getBean("waybillReadinessHealthIndicator", HealthIndicator.class)
                    .health();
            return Objects.requireNonNull(health).getDetails();
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
