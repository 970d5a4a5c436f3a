package io.waybill.process;

import java.util.List;
import java.util.Optional;

/**
 * What follows from something that happened: all of it is written in one transaction, or nothing.
 *
 * @param before the state that it was decided on; none when the process begins
 * @param after the state that the events lead to
 */
public record Decision(
        Optional<ProcessState> before,
        ProcessState after,
        List<LoggedEvent> events,
        List<StepCommand> commands,
        List<ProcessMessage> messages) {

    /** Whether anything has to be written. */
    public boolean isEmpty() {
        return events.isEmpty();
    }
}
