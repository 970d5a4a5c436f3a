package io.waybill.jdbc.layout.schema;

/**
 * Something about an adopted table that somebody should look at, though it is served.
 *
 * @param code as {@code docs/messages.md} has it
 * @param advice what to do
 */
public record Notice(String code, String text, String advice) {

    @Override
    public String toString() {
        return code + " " + text + " " + advice;
    }
}
