package io.waybill.process.store;

import io.waybill.process.state.ProcessEvent;
import java.util.List;
import java.util.UUID;

/** Reads the logs of processes. */
public interface ProcessLogRepository {

    /** The events of a process, oldest first; none when there is no such process. */
    List<ProcessEvent> findByProcessId(UUID processId);
}
