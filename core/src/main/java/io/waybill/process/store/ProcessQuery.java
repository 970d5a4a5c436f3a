package io.waybill.process.store;

import io.waybill.WaybillException;
import io.waybill.process.state.ProcessStatus;
import io.waybill.store.IdRange;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Selects processes; conditions that are not set match everything.
 *
 * @param statuses any of these; none means all
 * @param step being executed or compensated
 * @param untouchedSince nothing has happened to them since then
 * @param limit the most that are found, those first that have not been touched for longest
 */
public record ProcessQuery(
        Optional<String> processType,
        Optional<String> businessKey,
        Optional<IdRange> ids,
        Set<ProcessStatus> statuses,
        Optional<String> step,
        Optional<Instant> untouchedSince,
        int limit) {

    /** A hundred, whichever. */
    public static final ProcessQuery ANY = new ProcessQuery(
            Optional.empty(), Optional.empty(), Optional.empty(), Set.of(), Optional.empty(), Optional.empty(), 100);

    public ProcessQuery {
        statuses = Set.copyOf(statuses);
        if (limit < 1 || limit > 10_000) {
            throw new WaybillException("A search finds 1 to 10000 processes, not " + limit + ".");
        }
    }

    public ProcessQuery ofType(String type) {
        return new ProcessQuery(Optional.of(type), businessKey, ids, statuses, step, untouchedSince, limit);
    }

    public ProcessQuery about(String key) {
        return new ProcessQuery(processType, Optional.of(key), ids, statuses, step, untouchedSince, limit);
    }

    /** Those whose ids are in this range. */
    public ProcessQuery in(IdRange range) {
        return new ProcessQuery(processType, businessKey, Optional.of(range), statuses, step, untouchedSince, limit);
    }

    public ProcessQuery in(ProcessStatus... anyOf) {
        return new ProcessQuery(processType, businessKey, ids, Set.of(anyOf), step, untouchedSince, limit);
    }

    public ProcessQuery at(String openStep) {
        return new ProcessQuery(processType, businessKey, ids, statuses, Optional.of(openStep), untouchedSince, limit);
    }

    public ProcessQuery untouchedSince(Instant moment) {
        return new ProcessQuery(processType, businessKey, ids, statuses, step, Optional.of(moment), limit);
    }

    public ProcessQuery atMost(int most) {
        return new ProcessQuery(processType, businessKey, ids, statuses, step, untouchedSince, most);
    }
}
