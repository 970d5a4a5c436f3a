package io.waybill.process.store;

import io.waybill.observe.WaitingItem;
import java.time.Instant;
import java.util.UUID;

/**
 * A process that is not finished, and a step of it that waits for something that does not exist: nothing will ever move it.
 *
 * @param step the step that waits; where no step is open, the one it was at last
 * @param since when the step began to wait
 */
public record StuckProcess(
        UUID processId, String processType, String businessKey, String step, Missing missing, Instant since) {

    /** What a step waits for, and is not there. */
    public enum Missing {
        STEP("no step is open"),
        COMMAND("its command is gone, or has ended without a reply"),
        MESSAGE("the message that brings its command to a handler is gone"),
        CHILD("its sub-process is gone, or has ended without a reply"),
        TIME("no time is set for it");

        private final String words;

        Missing(String words) {
            this.words = words;
        }
    }

    /** As part of everything that waits. */
    public WaitingItem waiting() {
        return new WaitingItem(
                WaitingItem.Kind.STEP,
                processType + " " + businessKey + " (stuck)",
                1,
                since,
                true,
                step + " waits for something that does not exist: " + missing.words,
                "an operator retries or cancels it: waybill process explain " + processId,
                "WB-406");
    }

    @Override
    public String toString() {
        return processType + " " + businessKey + " (" + processId + ") at " + step + " since " + since + ": "
                + missing.words;
    }
}
