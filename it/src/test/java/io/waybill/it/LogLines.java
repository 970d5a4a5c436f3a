package io.waybill.it;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What is logged while it is open. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    public static LogLines of(String name) {
        var lines = new LogLines((Logger) LoggerFactory.getLogger(name));
        lines.start();
        lines.logger.setLevel(Level.INFO);
        lines.logger.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    /** The lines that have all of these in them. */
    public List<String> with(String... words) {
        return lines.stream()
                .filter(line -> List.of(words).stream().allMatch(line::contains))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null);
    }
}
