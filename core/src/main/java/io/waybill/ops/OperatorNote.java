package io.waybill.ops;

/** What the history of a message says of a change. */
final class OperatorNote {

    private OperatorNote() {}

    /** @param operator empty when the program does not say */
    static String of(String what, String operator) {
        return operator.isBlank() ? what : what + " by " + operator;
    }
}
