package io.waybill.testkit.process;

/** A promise was not kept in a simulated run. */
final class Violation extends RuntimeException {

    Violation(String message) {
        super(message);
    }
}
