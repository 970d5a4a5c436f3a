package io.waybill.command;

/** On an exception: it is of no use to try again. */
public interface Permanent {}
