package io.waybill.spring.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.jms.Jms;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker of all commands, by the keys under {@code waybill.mq}: a queue manager of IBM MQ, or the URL of another. */
final class SpringMq {

    private static final Logger log = LoggerFactory.getLogger(SpringMq.class);

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

    private final WaybillProperties.MqSettings settings;
    private final SpringProblems problems;

    SpringMq(WaybillProperties.MqSettings settings, SpringProblems problems) {
        this.settings = settings;
        this.problems = problems;
    }

    /** Its URL, if there is one that can be opened; the required queues are looked for. */
    Optional<String> broker() {
        if (!settings.url().isEmpty() && !settings.host().isEmpty()) {
            problems.add(
                    "waybill.mq.host",
                    settings.host(),
                    "waybill.mq.url names a broker too. Give one of them: host, port, qmgr and channel of IBM MQ, or the"
                            + " URL of another broker.");
            return Optional.empty();
        }
        if (settings.url().isEmpty() && settings.host().isEmpty()) {
            return Optional.empty();
        }
        if (settings.url().isEmpty() && !HOST.matcher(settings.host()).matches()) {
            problems.add("waybill.mq.host", settings.host(), "it must be the name or the address of a host.");
            return Optional.empty();
        }
        String key = settings.url().isEmpty() ? "waybill.mq.host" : "waybill.mq.url";
        Optional<String> url = Optional.of(settings.url().isEmpty() ? ibmMq() : settings.url())
                .filter(given -> SpringBrokers.isBroker(key, given, problems));
        url.ifPresent(this::requireQueues);
        return url;
    }

    private String ibmMq() {
        String user = settings.user().isEmpty()
                ? ""
                : encoded(settings.user()) + (settings.password().isEmpty() ? "" : ":" + encoded(settings.password()))
                        + "@";
        return "jms+ibmmq://" + user + settings.host() + ":" + settings.port() + "/"
                + encoded(given("qmgr", settings.qmgr(), "queue manager", "QM1")) + "?channel="
                + encoded(given("channel", settings.channel(), "server-connection channel", "DEV.APP.SVRCONN"));
    }

    private String given(String name, String value, String what, String example) {
        if (value.isEmpty()) {
            problems.add(
                    "waybill.mq." + name,
                    null,
                    "waybill.mq.host is " + settings.host() + ". Give the " + what + ", such as " + example
                            + "; or remove the host.");
            return example;
        }
        return value;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private void requireQueues(String url) {
        List<String> queues = settings.requiredQueues();
        if (queues.isEmpty()) {
            return;
        }
        if (url.startsWith("jms+")) {
            Looking.look(url, queues, problems);
        } else {
            problems.add(
                    "waybill.mq.required-queues",
                    String.join(",", queues),
                    "only queues of JMS are checked, and " + TransportUrl.withoutPassword(url)
                            + " is none: remove it. The queues that commands come from are always checked.");
        }
    }

    /** Apart, so that nothing of JMS is loaded where there is none. */
    private static final class Looking {
        static void look(String url, List<String> queues, SpringProblems problems) {
            try (Transport transport = Transports.open(url)) {
                if (transport instanceof Jms broker) {
                    broker.requireQueues(queues.toArray(String[]::new));
                }
            } catch (WaybillException e) {
                if (e.getCause() == null) {
                    problems.add(
                            "waybill.mq.required-queues", String.join(",", queues), String.valueOf(e.getMessage()));
                } else {
                    // The broker is away, which is no reason not to start: messages wait in the outbox.
                    log.warn("WB-602 {}", e.getMessage());
                }
            }
        }
    }
}
