package io.waybill.testkit.process;

import java.util.UUID;

/**
 * What a handler did, and what stayed.
 *
 * @param afterTheEnd whether the process had ended before, and did not say that the step is in doubt
 */
public record Effect(UUID processId, String step, boolean compensation, boolean afterTheEnd) {

    public Effect(UUID processId, String step, boolean compensation) {
        this(processId, step, compensation, false);
    }
}
