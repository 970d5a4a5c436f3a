package io.waybill.outbox;

import io.waybill.WaybillException;
import java.util.Locale;

/** What happens to a message for a destination that nothing serves: no route or handler in this process, and no live relay. */
public enum Unrouted {
    /** It is written and waits; the log says so once for each destination. */
    WARN,
    /** It is refused before it is written. */
    REFUSE;

    /** As a setting says it. */
    public static Unrouted of(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "warn" -> WARN;
            case "refuse" -> REFUSE;
            default -> throw new WaybillException("Give warn or refuse.");
        };
    }
}
