package io.waybill.command;

/** Marks an exception that a retry does not fix. */
public interface Permanent {}
