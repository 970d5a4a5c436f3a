package io.waybill.process.message;

import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessState;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

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
        List<ProcessMessage> messages,
        List<Ended> ended) {

    /** An attempt of a command that its process waits for no longer: no handler on this database may complete it any more. */
    public record Ended(UUID commandId, int attempt, String why) {}

    /** This decision and one that was made on its outcome, once its commands have been run. */
    public Decision then(Decision next) {
        return new Decision(
                before,
                next.after,
                Stream.concat(events.stream(), next.events.stream()).toList(),
                next.commands,
                Stream.concat(messages.stream(), next.messages.stream()).toList(),
                Stream.concat(ended.stream(), next.ended.stream()).toList());
    }

    /** Whether anything has to be written. */
    public boolean isEmpty() {
        return events.isEmpty();
    }
}
