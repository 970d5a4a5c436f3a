package io.waybill.jdbc.internal.sql;

import java.util.Locale;

/** The channel of PostgreSQL on which relays hear that there is something to do. For this module only. */
public final class SignalChannel {

    private SignalChannel() {}

    public static String of(String prefix) {
        return ("waybill_" + prefix + "outbox").toLowerCase(Locale.ROOT);
    }
}
