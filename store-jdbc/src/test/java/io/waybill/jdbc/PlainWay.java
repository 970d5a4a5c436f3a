package io.waybill.jdbc;

import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.process.ProcessOptimisations;
import io.waybill.relay.RelayOptimisations;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Switches every optimisation off while a test runs: what it promises holds without them too. */
public final class PlainWay implements BeforeEachCallback, AfterEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        enable(false);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        enable(true);
    }

    private static void enable(boolean enabled) {
        RoundTrips.enabled = enabled;
        RelayOptimisations.enable(enabled);
        ProcessOptimisations.enable(enabled);
    }

    /** Whether a test is run the plain way. */
    public static boolean isOn() {
        return !RoundTrips.enabled;
    }
}
