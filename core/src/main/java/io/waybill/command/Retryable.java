package io.waybill.command;

/** On an exception: what failed may work when it is tried again. */
public interface Retryable {}
