package io.waybill.server.demo;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be typed while the demo runs. */
enum DemoKey {
    FAIL("the bank refuses payments: their processes are compensated"),
    BREAK("break the ledger: messages fail, and compensations that need it are blocked"),
    DOWN("the notification service is down: its messages wait"),
    HEAL("heal everything: what waits continues, what failed is retried in the console"),
    PAUSE("pause the traffic, or continue it"),
    QUIT("quit");

    private final String meaning;

    DemoKey(String meaning) {
        this.meaning = meaning;
    }

    static Optional<DemoKey> of(String typed) {
        return Stream.of(values())
                .filter(key -> key.letter().equals(typed.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** The first one of its name. */
    String letter() {
        return name().substring(0, 1).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return letter() + "  " + meaning;
    }
}
