package io.waybill.micronaut.settings;

/** Looks at the configuration before anything is built, so that what is wrong with it is told with the rest. */
@FunctionalInterface
public interface MicronautCheck {

    void look(MicronautProblems problems);
}
