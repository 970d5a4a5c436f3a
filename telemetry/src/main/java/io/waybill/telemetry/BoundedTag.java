package io.waybill.telemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds the values of a tag, whatever programs write into their messages: the first {@value #MAX_VALUES} keep their own, all others share
 * {@value #OTHER}.
 *
 * <p><i>Threads:</i> safe.
 */
final class BoundedTag {

    static final int MAX_VALUES = 100;
    static final String OTHER = "_other";

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    String value(String wanted) {
        return known.contains(wanted) || admit(wanted) ? wanted : OTHER;
    }

    private synchronized boolean admit(String wanted) {
        return known.size() < MAX_VALUES && (known.add(wanted) || known.contains(wanted));
    }
}
