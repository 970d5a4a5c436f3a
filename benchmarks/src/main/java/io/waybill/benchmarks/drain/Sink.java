package io.waybill.benchmarks.drain;

import io.waybill.transport.Publisher;

/** A broker in memory that counts what it accepts. */
public interface Sink extends Publisher {

    long accepted();

    /** Whether everything has come that can come, when this many were appended. */
    boolean hasAll(int messages);
}
