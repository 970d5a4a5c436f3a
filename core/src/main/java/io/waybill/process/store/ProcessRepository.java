package io.waybill.process.store;

import io.waybill.process.state.ProcessInstance;
import java.util.Optional;
import java.util.UUID;

/** Reads the current state of processes. */
public interface ProcessRepository {

    Optional<ProcessInstance> findById(UUID processId);
}
