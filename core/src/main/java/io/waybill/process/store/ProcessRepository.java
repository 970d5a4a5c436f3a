package io.waybill.process.store;

import io.waybill.process.state.ProcessInstance;
import java.util.Optional;
import java.util.UUID;

/** Processes as they are now. */
public interface ProcessRepository {

    Optional<ProcessInstance> findById(UUID processId);
}
