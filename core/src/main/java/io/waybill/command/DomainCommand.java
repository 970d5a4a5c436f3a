package io.waybill.command;

/**
 * An intention to do something, told to exactly one handler: an immutable record that checks itself in its constructor, and whose
 * class name ends in {@code Command}.
 */
public interface DomainCommand {}
