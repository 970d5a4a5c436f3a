package io.waybill.command;

import io.waybill.WaybillException;

/** The business key of a command. Commands of one queue and business key run in the order in which they were accepted. */
public record BusinessKey(String value) {

    /** About nothing in particular: runs whenever there is room. */
    public static final BusinessKey NONE = new BusinessKey("");

    public BusinessKey {
        if (value.length() > 255) {
            throw new WaybillException("A business key has at most 255 characters, but this one has " + value.length()
                    + ": '" + value + "'. Use the id of the thing.");
        }
    }

    public static BusinessKey businessKey(Object value) {
        return new BusinessKey(String.valueOf(value));
    }
}
