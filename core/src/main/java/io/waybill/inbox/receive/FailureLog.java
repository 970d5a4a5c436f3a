package io.waybill.inbox.receive;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.waybill.Time;
import io.waybill.message.Envelope;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of messages that were put aside. Messages that fail for the same reason are one line with their count, at most once a minute;
 * what fails in between is counted in the next line.
 *
 * <p><i>Threads:</i> safe.
 */
final class FailureLog {

    private static final Logger log = LoggerFactory.getLogger(FailureLog.class);

    private static final Duration AT_MOST_EVERY = Duration.ofMinutes(1);

    /** Causes that are remembered; what was told longest ago is forgotten first, and is told anew. */
    private static final int MAX_CAUSES = 100;

    private final String handler;
    private final Time time;
    private final Map<String, Told> causes = new LinkedHashMap<>();

    FailureLog(String handler, Time time) {
        this.handler = handler;
        this.time = time;
    }

    /** These were put aside together. */
    void add(List<Failed> failures) {
        failures.forEach(failure -> log.debug("WB-301 message {}", failure.message.id(), failure.error));
        failures.stream()
                .collect(groupingBy(this::cause, LinkedHashMap::new, toList()))
                .forEach(this::tell);
    }

    private String cause(Failed failure) {
        return ErrorSummary.of(failure.message, handler, failure.attempts, failure.error)
                .cause()
                .fingerprint();
    }

    private synchronized void tell(String cause, List<Failed> failures) {
        Told told = causes.get(cause);
        if (told != null && !told.since.hasReached(AT_MOST_EVERY)) {
            causes.put(cause, new Told(told.since, told.untold + failures.size()));
            return;
        }
        int count = failures.size() + (told == null ? 0 : told.untold);
        causes.remove(cause);
        causes.put(cause, new Told(time.stopwatch(), 0));
        if (causes.size() > MAX_CAUSES) {
            causes.remove(causes.keySet().iterator().next());
        }
        log(failures.get(failures.size() - 1), count);
    }

    private void log(Failed last, int count) {
        Envelope message = last.message;
        if (last.error instanceof BehindAnotherException) {
            log.info(
                    "{} messages from {} wait for '{}' behind earlier messages of their keys that could not be handled,"
                            + " the latest is {}.",
                    count,
                    message.destination(),
                    handler,
                    message.id());
        } else {
            log.warn(
                    "WB-301 The handler '{}' could not handle {} from {}, which was put aside after {} attempts: {}",
                    handler,
                    count == 1 ? "message " + message.id() : count + " messages, the latest is " + message.id() + ",",
                    message.destination(),
                    last.attempts,
                    last.error.toString());
        }
    }

    /** A message that was put aside. */
    record Failed(Envelope message, int attempts, Throwable error) {}

    private record Told(Time.Stopwatch since, int untold) {}
}
