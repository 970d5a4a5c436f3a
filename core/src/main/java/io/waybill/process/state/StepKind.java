package io.waybill.process.state;

import io.waybill.process.graph.Step;

/** What an execution is. */
public enum StepKind {
    COMMAND,
    DELAY,
    /** Waits for a signal. */
    SIGNAL,
    /** Another process. */
    CHILD,
    /** Several branches at once; each is an execution of kind BRANCH that belongs to it. */
    FORK,
    /** A command for every element of a list; each element is an execution of kind BRANCH that belongs to it. */
    FOR_EACH,
    /** A branch; its steps belong to it. */
    BRANCH,
    /** A signal that came before anybody waited for it. */
    STORED_SIGNAL;

    public static StepKind of(Step.Action action) {
        if (action instanceof Step.Send) {
            return COMMAND;
        }
        if (action instanceof Step.Delay) {
            return DELAY;
        }
        if (action instanceof Step.Await) {
            return SIGNAL;
        }
        return action instanceof Step.Child ? CHILD : FOR_EACH;
    }

    /** That one with this name was begun. */
    String begun(String step) {
        return switch (this) {
            case COMMAND -> step + " was sent";
            case DELAY -> step + " lets time pass";
            case SIGNAL -> "the process waits for the signal " + step;
            case CHILD -> step + " was started as a process";
            case FORK -> "several branches were begun";
            case FOR_EACH -> step + " was begun for each element";
            case BRANCH -> "a branch was begun";
            case STORED_SIGNAL -> "the signal " + step + " came";
        };
    }

    public boolean hasBranches() {
        return this == FORK || this == FOR_EACH;
    }
}
