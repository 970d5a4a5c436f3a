package io.waybill.process;

/** Reaches the switches of this package. */
public final class ProcessOptimisations {

    private ProcessOptimisations() {}

    public static void enable(boolean enabled) {
        RecentProcesses.enabled = enabled;
    }
}
