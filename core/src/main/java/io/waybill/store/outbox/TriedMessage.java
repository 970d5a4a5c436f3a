package io.waybill.store.outbox;

import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;

/**
 * A message that was tried before and goes to the outbox again.
 *
 * @param attempts its history so far
 * @param note what its history says of this
 */
public record TriedMessage(Envelope message, AttemptLog attempts, String note) {}
