package io.waybill.server.demo.payments;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What does not work at present.
 *
 * <p><i>Threads:</i> safe.
 */
public final class PaymentFaults {

    private final Set<Fault> present = ConcurrentHashMap.newKeySet();

    /** A part of the application that can be broken. */
    public enum Fault {
        BANK_REFUSES,
        LEDGER_BROKEN,
        NOTIFICATIONS_DOWN
    }

    public void add(Fault fault) {
        present.add(fault);
    }

    public void heal() {
        present.clear();
    }

    boolean has(Fault fault) {
        return present.contains(fault);
    }
}
