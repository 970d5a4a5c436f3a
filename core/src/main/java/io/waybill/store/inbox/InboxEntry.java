package io.waybill.store.inbox;

import java.util.UUID;

/**
 * That a handler has handled a message.
 *
 * @param handler the name under which the handling is remembered
 */
public record InboxEntry(UUID message, String handler) {}
