package io.waybill.jdbc.schema;

/** Where it is noted what was handled. */
public enum InboxTable {
    /** The table {@code inbox}: the id of the message as text, and its handler. */
    INBOX("inbox", "handler"),
    /**
     * The table {@code message_broker_deduplication}: the id of the message as the 16 bytes of a UUID, less than half as large.
     * Its {@code message_name} is the handler. One that an application made, with the id alone as its key, is used as it is; it
     * has room for one handler of each message.
     */
    DEDUPLICATION("message_broker_deduplication", "message_name");

    private final String table;
    private final String handler;

    InboxTable(String table, String handler) {
        this.table = table;
        this.handler = handler;
    }

    /** A statement on this table: {@code ${inbox}} and {@code ${handler}} are its names. */
    public String in(String template) {
        return template.replace("${inbox}", "${prefix}" + table).replace("${handler}", handler);
    }
}
