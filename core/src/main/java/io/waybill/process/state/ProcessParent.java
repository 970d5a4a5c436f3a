package io.waybill.process.state;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The process that a sub-process is a step of.
 *
 * @param commandId what the parent calls the step
 * @param compensationCommandId what the parent calls its compensation, once it asks for it
 */
public record ProcessParent(
        UUID processId, UUID commandId, @Nullable UUID compensationCommandId) {}
