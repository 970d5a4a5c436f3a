package io.waybill.inbox;

import io.waybill.WaybillException;

/** A message was not tried, because an earlier one of its key was put aside. */
final class BehindAnotherException extends WaybillException {
    BehindAnotherException(String key) {
        super("An earlier message of the key '" + key + "' was put aside, and this one follows it to keep the order."
                + " Retry or discard them together.");
    }
}
