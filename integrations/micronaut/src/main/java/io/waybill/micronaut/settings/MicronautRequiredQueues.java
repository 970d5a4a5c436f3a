package io.waybill.micronaut.settings;

import io.waybill.jms.Jms;
import io.waybill.transport.TransportUrl;

/** Looks whether the queues of {@code mq.required-queues} exist, where the broker is one of JMS. */
public final class MicronautRequiredQueues {

    private MicronautRequiredQueues() {}

    public static void check(MicronautBrokers brokers, MicronautProblems problems) {
        brokers.mq().filter(mq -> !mq.requiredQueues().isEmpty()).ifPresent(mq -> {
            if (mq.url().startsWith("jms+")) {
                problems.check(
                        "mq.required-queues",
                        String.join(",", mq.requiredQueues()),
                        () -> {
                            Jms.requireQueuesIfReachable(mq.url(), mq.requiredQueues());
                            return true;
                        },
                        false);
            } else {
                problems.add(
                        "mq.required-queues",
                        String.join(",", mq.requiredQueues()),
                        "Only queues of JMS are checked, and " + TransportUrl.withoutPassword(mq.url())
                                + " is none: remove it. The queues that commands come from are always checked.");
            }
        });
    }
}
