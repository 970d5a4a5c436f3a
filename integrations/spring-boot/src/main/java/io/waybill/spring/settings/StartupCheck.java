package io.waybill.spring.settings;

/** Looks at settings before anything is built, so that their errors are reported with the rest. */
@FunctionalInterface
public interface StartupCheck {

    void look(SpringProblems problems);
}
