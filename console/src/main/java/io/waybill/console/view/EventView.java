package io.waybill.console.view;

import io.waybill.console.security.PayloadMask;
import io.waybill.process.state.CompensationEvent;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.StepEvent;
import io.waybill.process.state.StepEvent.SignalReceived;
import io.waybill.process.state.StepEvent.StepCompleted;
import java.time.Instant;

/**
 * An entry of the log of a process.
 *
 * @param execution the number of the execution it is about; 0 is the process
 */
public record EventView(int number, Instant at, String event, String step, int execution, String text) {

    public static EventView of(LoggedEvent logged, PayloadMask masking) {
        ProcessEvent event = logged.event();
        return new EventView(
                logged.number(),
                logged.at(),
                event.getClass().getSimpleName(),
                event.step(),
                execution(event),
                masked(event, masking).text());
    }

    /** The text of these two events contains the data that came. */
    private static ProcessEvent masked(ProcessEvent event, PayloadMask masking) {
        if (event instanceof StepCompleted done) {
            return new StepCompleted(done.number(), done.step(), masking.fields(done.data()));
        }
        return event instanceof SignalReceived came
                ? new SignalReceived(came.number(), came.step(), came.key(), masking.fields(came.data()))
                : event;
    }

    private static int execution(ProcessEvent event) {
        if (event instanceof StepEvent step) {
            return step.number();
        }
        return event instanceof CompensationEvent compensation ? compensation.number() : 0;
    }
}
