package io.waybill.server.output;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;

/** A line of the log, with the trace of its exception, made safe: {@code %safe} in a pattern. */
public final class SafeMessageConverter extends ClassicConverter {

    @Override
    public String convert(ILoggingEvent event) {
        String message = event.getFormattedMessage();
        // Only our own lists have several lines; a line break in a value must not look like another line of the log.
        String lines = message.replaceAll("\n(?!- )", "\\\\n");
        String trace = event.getThrowableProxy() == null
                ? ""
                : "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy()).stripTrailing();
        return PlainText.shown(lines + trace);
    }
}
