package io.waybill.process.state;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A process as it is now.
 *
 * @param businessKey what it is about, in the words of the application
 * @param currentStep the steps that are being executed or compensated, or the last one
 * @param data what it was started with and what its steps have replied
 * @param retries how often the current step has been tried again
 */
public record ProcessInstance(
        UUID processId,
        String processType,
        String businessKey,
        ProcessStatus status,
        String currentStep,
        Map<String, Object> data,
        int retries,
        Instant createdAt,
        Instant updatedAt) {}
