package io.waybill.server.doctor;

/**
 * One thing that was looked at.
 *
 * @param where the source or the destination
 * @param advice what to do; empty when nothing needs to be done
 */
record Finding(String where, String check, Health health, String says, String advice) {

    /** How it is. */
    enum Health {
        OK,
        /** Somebody should look at it. */
        WARN,
        /** It does not work, or will not for long. */
        BAD
    }

    static Finding ok(String where, String check, String says) {
        return new Finding(where, check, Health.OK, says, "");
    }

    static Finding warn(String where, String check, String says, String advice) {
        return new Finding(where, check, Health.WARN, says, advice);
    }

    static Finding bad(String where, String check, String says, String advice) {
        return new Finding(where, check, Health.BAD, says, advice);
    }
}
