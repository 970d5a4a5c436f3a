package io.waybill.jms.client;

/** The connection is gone: what was sent on it and not committed is rolled back, and of a commit nobody knows. */
public final class BrokenLinkException extends Exception {

    private static final long serialVersionUID = 1;

    public BrokenLinkException(String message, Exception cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
