package com.acme.payments;

import io.micronaut.runtime.Micronaut;

/** Starts the worker. */
public final class Application {

    private Application() {}

    public static void main(String[] arguments) {
        Micronaut.run(Application.class, arguments);
    }
}
