package io.waybill.command.store;

import java.util.Optional;
import java.util.UUID;

/** Commands as they are now. */
@FunctionalInterface
public interface CommandRepository {

    Optional<CommandRecord> findById(UUID commandId);
}
