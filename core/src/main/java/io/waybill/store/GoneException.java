package io.waybill.store;

import io.waybill.WaybillException;
import java.util.UUID;

/** A message is no longer this relay's: it was taken, changed or discarded elsewhere, or its lease has gone. Nothing of its transaction may stay. */
public final class GoneException extends WaybillException {

    public GoneException(UUID message) {
        super("Message " + message
                + " is no longer leased by this relay. Roll the transaction back: another relay has it.");
    }
}
