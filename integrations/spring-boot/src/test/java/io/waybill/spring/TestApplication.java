package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.spring.settings.SpringMisconfiguredException;
import java.util.List;
import java.util.UUID;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application with Waybill, and what it says when it starts. */
public final class TestApplication {

    private TestApplication() {}

    public static ApplicationContextRunner withoutDatabase() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceTransactionManagerAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        WaybillHealthAutoConfiguration.class,
                        WaybillMetricsAutoConfiguration.class));
    }

    /** With a database of its own, which is the same in each of its runs. */
    public static ApplicationContextRunner onH2() {
        return withoutDatabase()
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    /** What the start is refused with. */
    public static String problems(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        for (Throwable cause = context.getStartupFailure(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SpringMisconfiguredException) {
                return String.valueOf(cause.getMessage());
            }
        }
        throw new AssertionError("It failed for another reason.", context.getStartupFailure());
    }

    /** What a start that succeeds is warned of by this class. */
    public static List<String> warnings(ApplicationContextRunner application, Class<?> from) {
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

    /** Nobody handles it. */
    public record WaitCommand() implements DomainCommand {}

    /** Sends a command that nobody handles. */
    public static final class Lonely implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Lonely";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(WaitCommand.class).end();
        }
    }

    /** Listens to orders. */
    public static final class Listener {
        @SubscribeTo("orders.placed")
        public void on(String order) {}
    }
}
