package io.waybill.store;

/** Remembers which handler has handled which message, for good until it is cleaned up. */
public interface InboxStore {

    /**
     * Notes the message as handled, in the handler's own transaction.
     *
     * @return false when it has been handled before; a concurrent transaction with the same pair is waited for
     */
    boolean record(Transaction transaction, String messageId, String handler);
}
