package io.waybill.command;

/**
 * Marks a command: a request that exactly one handler carries out. It is an immutable record that validates itself in its
 * constructor, and its class name ends in {@code Command}.
 */
public interface DomainCommand {}
