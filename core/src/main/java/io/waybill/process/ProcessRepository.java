package io.waybill.process;

import java.util.Optional;
import java.util.UUID;

/** Processes as they are now. */
public interface ProcessRepository {

    Optional<ProcessInstance> findById(UUID processId);
}
