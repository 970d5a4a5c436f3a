package io.waybill.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down who changed what, and why. */
final class Operator {

    /** A name of its own, so that a log configuration can keep these lines apart. */
    private static final Logger log = LoggerFactory.getLogger("io.waybill.operator");

    private Operator() {}

    static void log(String what, String database, String reason) {
        log.info(
                "{} in {}, by {}{}",
                what,
                database,
                System.getProperty("user.name"),
                reason.isBlank() ? "; no reason given" : ": " + reason.replaceAll("\\s+", " "));
    }
}
