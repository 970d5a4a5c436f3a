package io.waybill.spring.settings;

/** Looks at settings before anything is built, so that what is wrong with them is told with the rest. */
@FunctionalInterface
public interface StartupCheck {

    void look(SpringProblems problems);
}
