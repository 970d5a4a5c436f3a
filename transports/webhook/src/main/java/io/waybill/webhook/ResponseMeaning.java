package io.waybill.webhook;

import io.waybill.transport.Outcome;
import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** What an endpoint's answer means. */
final class ResponseMeaning {

    static final int GONE = 410;

    /** An endpoint cannot be put to sleep for longer than this. */
    private static final Duration MAX_PAUSE = Duration.ofHours(24);

    private ResponseMeaning() {}

    static Outcome of(String endpoint, WebhookResponse answer) {
        int status = answer.status();
        if (status >= 200 && status < 300) {
            return new Outcome.Accepted();
        }
        String said = answer.text();
        String reason = endpoint + " responded " + status + (said.isEmpty() ? "" : ": " + said);
        if (status >= 300 && status < 400) {
            return new Outcome.Misconfigured(endpoint + " responded " + status + ", a redirect" + to(answer)
                    + ". Redirects are not followed: give the address where it takes messages itself.");
        }
        return switch (status) {
            case 401, 403, 404, 405, 407, GONE -> new Outcome.Misconfigured(reason);
            // What stands before the receiver (a load balancer, a proxy) says these while the receiver is away.
            case 408, 425, 429, 502, 503, 504 -> new Outcome.Unavailable(reason);
            default ->
                status < 500
                        ? new Outcome.Refused(reason)
                        : answer.header("retry-after").isPresent()
                                ? new Outcome.Unavailable(reason)
                                : new Outcome.Inconclusive(reason);
        };
    }

    /** Only the host: the rest of an address may be a secret. */
    private static String to(WebhookResponse answer) {
        return answer.header("location")
                .flatMap(ResponseMeaning::host)
                .map(host -> " to " + host)
                .orElse("");
    }

    private static Optional<String> host(String location) {
        try {
            return Optional.ofNullable(URI.create(location).getHost());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** How long to leave the endpoint alone, if it says so: in seconds, or by a date. */
    static Optional<Duration> retryAfter(WebhookResponse answer, Clock clock) {
        return answer.header("retry-after")
                .map(String::strip)
                .flatMap(value -> value.matches("[0-9]{1,9}")
                        ? Optional.of(Duration.ofSeconds(Long.parseLong(value)))
                        : until(value, clock.instant()))
                .filter(pause -> !pause.isNegative())
                .map(pause -> pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause);
    }

    private static Optional<Duration> until(String date, Instant now) {
        try {
            return Optional.of(Duration.between(now, ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
