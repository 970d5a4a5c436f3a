package io.waybill.command;

/** Marks an exception that may go away with a retry. */
public interface Retryable {}
