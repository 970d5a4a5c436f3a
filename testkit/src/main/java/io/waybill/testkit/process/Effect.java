package io.waybill.testkit.process;

import java.util.UUID;

/** What a handler did, and what stayed. */
public record Effect(UUID processId, String step, boolean undo) {}
