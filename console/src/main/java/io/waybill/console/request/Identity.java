package io.waybill.console.request;

/** Who asks, and what they may do. */
public record Identity(String name, Role role) {

    /** Somebody who has not logged in. */
    public static final Identity NOBODY = new Identity("", Role.ANYONE);
}
