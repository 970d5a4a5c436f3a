package io.waybill.micronaut.settings;

/** Looks at the configuration before anything is built, so that its errors are reported with the rest. */
@FunctionalInterface
public interface MicronautCheck {

    void look(MicronautProblems problems);
}
