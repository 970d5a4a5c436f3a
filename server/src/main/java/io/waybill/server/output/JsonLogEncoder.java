package io.waybill.server.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import io.waybill.message.text.Json;
import io.waybill.transport.SecretMask;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log as one JSON object per line, for programs. Logback's own encoder would write secrets as they are.
 */
public final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {

    private static final Pattern CODED = Pattern.compile("(WB-\\d{3}) (.*)", Pattern.DOTALL);

    /** Writes everything that is logged from now on like this. */
    public static void install() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("console")
                        instanceof ConsoleAppender<ILoggingEvent> console) {
            var encoder = new JsonLogEncoder();
            encoder.setContext(context);
            encoder.start();
            console.setEncoder(encoder);
        }
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("time", event.getInstant().toString());
        members.put("level", event.getLevel().toString());
        Matcher coded = CODED.matcher(event.getFormattedMessage());
        if (coded.matches()) {
            members.put("code", coded.group(1));
        }
        members.put("message", SecretMask.text(coded.matches() ? coded.group(2) : event.getFormattedMessage()));
        members.put("logger", event.getLoggerName());
        members.put("thread", event.getThreadName());
        if (event.getThrowableProxy() != null) {
            members.put(
                    "error",
                    SecretMask.text(ThrowableProxyUtil.asString(event.getThrowableProxy())
                            .stripTrailing()));
        }
        return line(members).getBytes(UTF_8);
    }

    private static String line(Map<String, String> members) {
        var json = new StringBuilder();
        members.forEach((name, value) -> {
            json.append(json.isEmpty() ? '{' : ',');
            Json.quote(json, name);
            json.append(':');
            Json.quote(json, value);
        });
        return json.append("}\n").toString();
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
