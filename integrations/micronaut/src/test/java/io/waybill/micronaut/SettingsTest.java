package io.waybill.micronaut;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.micronaut.context.ApplicationContext;
import io.waybill.micronaut.health.WaybillReadiness;
import io.waybill.micronaut.settings.Keys;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.contract.framework.FrameworkSettingsContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

final class SettingsTest extends FrameworkSettingsContract {

    @Override
    protected Application start(TestDatabase database, Map<String, String> settings) {
        var all = new HashMap<String, Object>(settings);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", "");
        return new Running(ApplicationContext.run(all));
    }

    @Override
    protected String outputOf(TestDatabase database, Map<String, String> settings) {
        var logger = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        Level level = logger.getLevel();
        var logged = new ListAppender<ILoggingEvent>();
        logged.start();
        logger.addAppender(logged);
        logger.setLevel(Level.INFO);
        var thrown = new StringWriter();
        try (Application application = start(database, settings)) {
            application.readiness();
        } catch (RuntimeException e) {
            e.printStackTrace(new PrintWriter(thrown));
        } finally {
            logger.setLevel(level);
            logger.detachAppender(logged);
        }
        return logged.list.stream()
                        .map(event ->
                                event.getFormattedMessage() + ThrowableProxyUtil.asString(event.getThrowableProxy()))
                        .collect(Collectors.joining("\n"))
                + thrown;
    }

    @Override
    protected List<String> keys() {
        var keys = new ArrayList<>(List.of(
                "waybill.routes.orders.*",
                "waybill.messaging.consumers.sources.orders.*",
                "waybill.data-sources.default.mq.password",
                "mq.password",
                "mq.url",
                "outbox.batch-size"));
        Keys.KNOWN.forEach(key -> keys.add("waybill." + key));
        return keys;
    }

    @Override
    protected Map<String, String> route(int number, String pattern, String url) {
        return Map.of("waybill.routes." + pattern, url);
    }

    private record Running(ApplicationContext context) implements Application {
        @Override
        public Outbox outbox() {
            return context.getBean(Outbox.class);
        }

        @Override
        public void inTransaction(Runnable work) {
            context.getBean(Waybill.class).transactions().inTransaction(transaction -> {
                work.run();
                return true;
            });
        }

        @Override
        public Map<String, Object> readiness() {
            return context.getBean(WaybillReadiness.class).getHealthInformation();
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
