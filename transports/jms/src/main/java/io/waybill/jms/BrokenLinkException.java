package io.waybill.jms;

/** The connection is gone: what was sent on it and not committed is undone, and of a commit nobody knows. */
final class BrokenLinkException extends Exception {

    private static final long serialVersionUID = 1;

    BrokenLinkException(String message, Exception cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
