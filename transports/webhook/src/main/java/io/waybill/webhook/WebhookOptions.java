package io.waybill.webhook;

import io.waybill.WaybillException;
import java.time.Duration;
import java.util.Set;

/**
 * How endpoints are asked.
 *
 * @param connectTimeout for the connection, TLS included
 * @param timeout from the request to the head of the answer
 * @param concurrency how many requests one endpoint gets at once from one relay
 * @param rate how many requests one endpoint gets in a second
 * @param publishTime when this has passed, no more requests of a batch are started: the rest goes with the next batch
 * @param headers which of the application's own headers are sent: names, or beginnings of names with an asterisk, in lower case
 */
record WebhookOptions(
        Duration connectTimeout,
        Duration timeout,
        int concurrency,
        int rate,
        Duration publishTime,
        Set<String> headers) {

    static final int NO_LIMIT = Integer.MAX_VALUE;

    static final WebhookOptions DEFAULT = new WebhookOptions(
            Duration.ofSeconds(5), Duration.ofSeconds(10), 8, NO_LIMIT, Duration.ofSeconds(10), Set.of());

    WebhookOptions {
        positive("connect-timeout", connectTimeout);
        positive("timeout", timeout);
        positive("publish-time", publishTime);
        positive("concurrency", concurrency);
        positive("rate", rate);
    }

    WebhookOptions withConnectTimeout(Duration connectTimeout) {
        return new WebhookOptions(connectTimeout, timeout, concurrency, rate, publishTime, headers);
    }

    WebhookOptions withTimeout(Duration timeout) {
        return new WebhookOptions(connectTimeout, timeout, concurrency, rate, publishTime, headers);
    }

    WebhookOptions withConcurrency(int concurrency) {
        return new WebhookOptions(connectTimeout, timeout, concurrency, rate, publishTime, headers);
    }

    WebhookOptions withRate(int rate) {
        return new WebhookOptions(connectTimeout, timeout, concurrency, rate, publishTime, headers);
    }

    WebhookOptions withPublishTime(Duration publishTime) {
        return new WebhookOptions(connectTimeout, timeout, concurrency, rate, publishTime, headers);
    }

    WebhookOptions withHeaders(Set<String> headers) {
        return new WebhookOptions(connectTimeout, timeout, concurrency, rate, publishTime, Set.copyOf(headers));
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new WaybillException(name + " (" + value + ") of webhooks must be longer than zero.");
        }
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new WaybillException(name + " (" + value + ") of webhooks must be at least 1.");
        }
    }
}
