package io.waybill.store.failed;

import java.util.Locale;

/** Where a message stands that could not be handled or published. */
public enum FailedState {
    /** Tried again by itself, or on its way to its handler because an operator retried it. */
    RETRYING("an attempt succeeds or is the last"),
    /** Not tried: it waits behind an earlier message of its key that has failed. */
    PARKED("the earlier message of its key is handled or discarded"),
    /** Tried for the last time. */
    FAILED("you retry or discard it");

    private final String endedBy;

    FailedState(String endedBy) {
        this.endedBy = endedBy;
    }

    /** What ends this state. */
    public String endedBy() {
        return endedBy;
    }

    /** The command that lists the messages in this state. */
    public String command() {
        return "waybill failed list --state " + word();
    }

    /** As people read it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
