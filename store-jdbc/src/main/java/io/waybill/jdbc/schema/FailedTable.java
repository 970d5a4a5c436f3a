package io.waybill.jdbc.schema;

/** Where it is kept what could not be handled. */
public enum FailedTable {
    /** The table {@code failed_message}. */
    FAILED_MESSAGE,
    /**
     * The queue {@code failed} of Symfony Messenger's table {@code messenger_messages}, for receivers that take the place of PHP ones: what
     * failed there is seen here, and PHP's {@code messenger:failed:show} sees what failed here. It has no columns for keys and
     * errors, so every look reads the whole queue: for hundreds of failed messages, not for millions.
     */
    MESSENGER_MESSAGES
}
