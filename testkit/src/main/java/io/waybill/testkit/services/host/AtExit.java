package io.waybill.testkit.services.host;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops services when the JVM ends. One that was stopped before is forgotten: or the JVM would keep all it has in memory. */
public final class AtExit {

    private static final Logger LOG = LoggerFactory.getLogger(AtExit.class);

    private final Thread hook;

    private AtExit(Thread hook) {
        this.hook = hook;
    }

    public static AtExit stop(String service, Runnable stop) {
        var hook = new Thread(() -> quietly(service, stop), "waybill-stop-" + service);
        Runtime.getRuntime().addShutdownHook(hook);
        return new AtExit(hook);
    }

    public void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is ending, and stops what is left: {}", e.getMessage());
        }
    }

    private static void quietly(String service, Runnable stop) {
        try {
            stop.run();
        } catch (RuntimeException e) {
            LOG.warn("{} was not stopped in order: {}", service, e.toString());
        }
    }
}
