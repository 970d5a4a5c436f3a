package io.waybill.transport.wire;

import java.util.Map;

/** The names of headers that mean something to Waybill, as plain messages carry them. */
public final class Headers {

    public static final String MESSAGE_ID = "message-id";
    public static final String MESSAGE_TYPE = "message-type";
    /** Command or reply; an event has none. */
    public static final String MESSAGE_CATEGORY = "message-category";

    /**
     * What the message is in order of. Commands carry it, whose receiver must know which of them wait behind one that failed; other
     * messages only where a transport has the option to send it.
     */
    public static final String PARTITION_KEY = "message-partition-key";

    public static final String CONTENT_TYPE = "content-type";
    /** Where a message comes from, as its application names it: of a CloudEvent its attribute of this name. The id belongs to it. */
    public static final String SOURCE = "source";

    public static final String CORRELATION_ID = "correlation-id";
    public static final String CAUSATION_ID = "causation-id";
    public static final String TRACEPARENT = "traceparent";
    public static final String TRACESTATE = "tracestate";

    /** Where the id of the trace is in a traceparent: {@code 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01}. */
    private static final int TRACE_ID = 3;

    private static final int TRACE_ID_LENGTH = 32;

    private Headers() {}

    /** Whether both name the same trace, as W3C Trace Context writes it. */
    public static boolean isSameTrace(Map<String, String> one, Map<String, String> other) {
        String first = one.getOrDefault(TRACEPARENT, "");
        String second = other.getOrDefault(TRACEPARENT, "");
        return first.length() > TRACE_ID + TRACE_ID_LENGTH
                && first.regionMatches(TRACE_ID, second, TRACE_ID, TRACE_ID_LENGTH);
    }
}
