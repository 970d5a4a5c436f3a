package io.waybill.process.state;

import java.time.Instant;

/**
 * An event in the log of its process.
 *
 * @param number from 1, without gaps
 * @param at rises with the number
 */
public record LoggedEvent(int number, Instant at, ProcessEvent event) {}
