package io.waybill.testkit.services;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops services when the JVM ends; a service that was stopped before has nothing to do then. */
final class AtExit {

    private static final Logger LOG = LoggerFactory.getLogger(AtExit.class);

    private AtExit() {}

    static void stop(String service, Runnable stop) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> quietly(service, stop), "waybill-stop-" + service));
    }

    private static void quietly(String service, Runnable stop) {
        try {
            stop.run();
        } catch (RuntimeException e) {
            LOG.warn("{} was not stopped in order: {}", service, e.toString());
        }
    }
}
