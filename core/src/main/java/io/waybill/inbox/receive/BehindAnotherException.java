package io.waybill.inbox.receive;

import io.waybill.WaybillException;

/** A message was not tried, because an earlier one of its key has failed. */
final class BehindAnotherException extends WaybillException {
    private static final int MAX_KEY = 255;

    BehindAnotherException(String key) {
        super("An earlier message of the key '"
                + (key.length() <= MAX_KEY ? key : key.substring(0, MAX_KEY) + "...")
                + "' failed, and this one waits behind it to keep the order. Retry or discard them together.");
    }
}
