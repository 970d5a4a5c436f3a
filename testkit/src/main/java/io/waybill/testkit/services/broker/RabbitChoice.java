package io.waybill.testkit.services.broker;

import io.waybill.testkit.services.broker.Rabbit.Kind;
import io.waybill.testkit.services.host.OptionalLibraries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which broker {@link Rabbit#shared()} is: each kind can be had by itself, or the first that works. */
final class RabbitChoice {

    private RabbitChoice() {}

    static Rabbit choose(@Nullable String named) {
        OptionalLibraries.require("AMQP", "com.rabbitmq.client.ConnectionFactory", "com.rabbitmq:amqp-client");
        if (named != null && !named.isBlank()) {
            return named(named);
        }
        return firstOf(List.of(RabbitChoice::ownProcess, RabbitChoice::qpid));
    }

    static Rabbit firstOf(List<Supplier<Rabbit>> candidates) {
        var failures = new ArrayList<String>();
        for (var candidate : candidates) {
            try {
                return candidate.get();
            } catch (IllegalStateException e) {
                failures.add((failures.size() + 1) + ". " + e.getMessage());
            }
        }
        throw new IllegalStateException("No AMQP broker could be had. Tried, in this order:\n"
                + String.join("\n", failures)
                + "\nStart a RabbitMQ and name it in the environment variable " + Rabbit.URL_VARIABLE + ".");
    }

    static Rabbit named(String url) {
        try {
            Rabbit.connect(url).close();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "the server that " + Rabbit.URL_VARIABLE + " names, " + Rabbit.withoutPassword(url) + ": " + e, e);
        }
        return new Rabbit(Kind.NAMED, url, () -> {});
    }

    static Rabbit ownProcess() {
        var process = RabbitProcess.start();
        return new Rabbit(Kind.PROCESS, process.url(), process::stop, process::restart);
    }

    static Rabbit qpid() {
        OptionalLibraries.require("Qpid", "org.apache.qpid.server.SystemLauncher", "org.apache.qpid:qpid-broker-core");
        OptionalLibraries.require(
                "Qpid",
                "org.apache.qpid.server.protocol.v0_8.AMQPConnection_0_8",
                "org.apache.qpid:qpid-broker-plugins-amqp-0-8-protocol");
        OptionalLibraries.require(
                "Qpid",
                "org.apache.qpid.server.store.MemoryMessageStore",
                "org.apache.qpid:qpid-broker-plugins-memory-store");
        var broker = QpidBroker.start();
        return new Rabbit(Kind.QPID, broker.url(), broker::stop);
    }
}
