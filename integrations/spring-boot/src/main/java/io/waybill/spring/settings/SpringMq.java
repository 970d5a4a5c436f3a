package io.waybill.spring.settings;

import io.waybill.jms.Jms;
import io.waybill.runtime.IbmMqUrl;
import io.waybill.transport.TransportUrl;
import java.util.List;
import java.util.Optional;

/** The broker of all commands, by the keys under {@code waybill.mq}: a queue manager of IBM MQ, or the URL of another. */
final class SpringMq {

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
        if (settings.url().isEmpty() && !IbmMqUrl.isHost(settings.host())) {
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
        return IbmMqUrl.of(
                settings.host(),
                settings.port(),
                given("qmgr", settings.qmgr(), "queue manager", "QM1"),
                given("channel", settings.channel(), "server-connection channel", "DEV.APP.SVRCONN"),
                settings.user(),
                settings.password());
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

    private void requireQueues(String url) {
        List<String> queues = settings.requiredQueues();
        if (queues.isEmpty()) {
            return;
        }
        if (url.startsWith("jms+")) {
            problems.check(
                    "waybill.mq.required-queues",
                    String.join(",", queues),
                    () -> {
                        Jms.requireQueuesIfReachable(url, queues);
                        return true;
                    },
                    false);
        } else {
            problems.add(
                    "waybill.mq.required-queues",
                    String.join(",", queues),
                    "only queues of JMS are checked, and " + TransportUrl.withoutPassword(url)
                            + " is none: remove it. The queues that commands come from are always checked.");
        }
    }
}
