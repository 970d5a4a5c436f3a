package io.waybill.testkit.process.simulation;

/** A promise was not kept in a simulated run. */
final class Violation extends RuntimeException {

    Violation(String message) {
        super(message);
    }
}
