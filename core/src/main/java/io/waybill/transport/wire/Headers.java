package io.waybill.transport.wire;

/** The names of headers that mean something to Waybill, as plain messages carry them. */
public final class Headers {

    public static final String MESSAGE_ID = "message-id";
    public static final String MESSAGE_TYPE = "message-type";
    /** Command or reply; an event has none. */
    public static final String MESSAGE_CATEGORY = "message-category";

    /**
     * What the message is in order of. Commands carry it, whose receiver must know which of them wait behind one that failed; other
     * messages only where a transport is told to send it.
     */
    public static final String PARTITION_KEY = "message-partition-key";

    public static final String CONTENT_TYPE = "content-type";
    /** Where a message comes from, as its application names it: of a CloudEvent its attribute of this name. The id belongs to it. */
    public static final String SOURCE = "source";

    public static final String CORRELATION_ID = "correlation-id";
    public static final String CAUSATION_ID = "causation-id";
    public static final String TRACEPARENT = "traceparent";
    public static final String TRACESTATE = "tracestate";

    private Headers() {}
}
