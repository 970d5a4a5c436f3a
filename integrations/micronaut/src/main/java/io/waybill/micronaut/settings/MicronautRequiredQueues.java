package io.waybill.micronaut.settings;

import io.waybill.WaybillException;
import io.waybill.jms.Jms;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether the queues of {@code mq.required-queues} exist, where the broker is one of JMS. */
public final class MicronautRequiredQueues {

    private static final Logger log = LoggerFactory.getLogger(MicronautRequiredQueues.class);

    private MicronautRequiredQueues() {}

    public static void check(MicronautBrokers brokers, MicronautProblems problems) {
        brokers.mq().filter(mq -> !mq.requiredQueues().isEmpty()).ifPresent(mq -> {
            if (mq.url().startsWith("jms+")) {
                Looking.look(mq, problems);
            } else {
                problems.add(
                        "mq.required-queues",
                        String.join(",", mq.requiredQueues()),
                        "Only queues of JMS are checked, and " + TransportUrl.withoutPassword(mq.url())
                                + " is none: remove it. The queues that commands come from are always checked.");
            }
        });
    }

    /** Apart, so that nothing of JMS is loaded where there is none. */
    private static final class Looking {
        static void look(MicronautMq mq, MicronautProblems problems) {
            List<String> queues = mq.requiredQueues();
            try (Transport transport = Transports.open(mq.url())) {
                if (transport instanceof Jms broker) {
                    broker.requireQueues(queues.toArray(String[]::new));
                }
            } catch (WaybillException e) {
                if (e.getCause() == null) {
                    problems.add("mq.required-queues", String.join(",", queues), String.valueOf(e.getMessage()));
                } else {
                    // The broker is away, which is no reason not to start: messages wait in the outbox.
                    log.warn("WB-602 {}", e.getMessage());
                }
            }
        }
    }
}
