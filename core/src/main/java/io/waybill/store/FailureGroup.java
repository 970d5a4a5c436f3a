package io.waybill.store;

import java.time.Instant;

/** Failed messages with the same reason. */
public record FailureGroup(
        String fingerprint, String kind, String source, String handler, long count, Instant first, Instant last) {}
