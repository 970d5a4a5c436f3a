package io.waybill.micronaut.settings;

import io.waybill.runtime.IbmMqUrl;
import java.util.List;
import java.util.Optional;

/**
 * The broker of all commands, as the guide configures it: {@code mq.host}, {@code port}, {@code qmgr}, {@code channel}, {@code user},
 * {@code password} for IBM MQ, or {@code mq.url} for any other.
 *
 * @param requiredQueues those that must be there when the application starts
 */
public record MicronautMq(String url, List<String> requiredQueues) {

    private static final int PORT = 1414;

    public static Optional<MicronautMq> of(Keys keys, MicronautProblems problems) {
        List<String> queues = keys.list("mq.required-queues");
        Optional<Keys.Found> url = keys.find("mq.url");
        Optional<Keys.Found> host = keys.find("mq.host");
        if (url.isPresent() && host.isPresent()) {
            problems.add(
                    host.get().key(),
                    host.get().text(),
                    url.get().key()
                            + " names a broker too. Give one of them: host, port, qmgr and channel of IBM MQ, or"
                            + " the URL of another broker.");
        }
        if (url.isPresent()) {
            return url.map(found -> new MicronautMq(found.text(), queues));
        }
        if (host.isPresent() && !IbmMqUrl.isHost(host.get().text())) {
            problems.add(host.get().key(), host.get().text(), "Give the name or the address of a host.");
            return Optional.empty();
        }
        return host.map(found -> new MicronautMq(ibmMq(found, keys, problems), queues));
    }

    private static String ibmMq(Keys.Found host, Keys keys, MicronautProblems problems) {
        int port = keys.positive("mq.port", PORT);
        String manager = required("qmgr", "QM1", host, keys, problems);
        String channel = required("channel", "DEV.APP.SVRCONN", host, keys, problems);
        String user = keys.text("mq.user").orElse("");
        String password = keys.text("mq.password").orElse("");
        return IbmMqUrl.of(host.text(), port, manager, channel, user, password);
    }

    private static String required(
            String name, String example, Keys.Found host, Keys keys, MicronautProblems problems) {
        return keys.text("mq." + name).orElseGet(() -> {
            problems.add("mq." + name + " is not set, and " + host.key() + " is '" + host.text() + "'. Give the "
                    + (name.equals("qmgr") ? "queue manager" : "server-connection channel") + ", such as " + example
                    + "; or remove " + host.key() + ".");
            return example;
        });
    }
}
