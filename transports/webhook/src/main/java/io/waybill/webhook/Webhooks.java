package io.waybill.webhook;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.message.DestinationPattern;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages as webhooks: one POST each, signed as Standard Webhooks says.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Webhooks implements Transport {

    private final HttpClient client;
    private final Endpoints endpoints;
    private final WebhookOptions options;
    private final Time time;

    private Webhooks(Builder builder) {
        this.client = builder.client();
        this.options = builder.options;
        this.time = builder.time;
        this.endpoints = new Endpoints(builder.entries, options, time);
    }

    /** One endpoint for all destinations, with the defaults. */
    public static Webhooks at(String address, String... secrets) {
        return builder().endpoint("**", address, secrets).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Publisher publisher(String relay, WireFormat format) {
        return (batch, deadline) -> new Round(client, format, options, time, batch, deadline).run(endpoints);
    }

    /** Endpoints have nothing to do with each other: the answers of one are nothing for the others to wait for. */
    @Override
    public String lineTo(String destination) {
        return endpoints.to(destination).map(WebhookEndpoint::toString).orElse("");
    }

    /** An endpoint cannot tell one relay from another: a request that was under way can still arrive, as a repetition. */
    @Override
    public void fence(String relay) {}

    /** Asks the endpoint of this destination again, after it answered 410 Gone or asked for a long pause. */
    public void enable(String destination) {
        endpoints
                .to(destination)
                .orElseThrow(() -> new WaybillException("No webhook endpoint is for '" + destination + "'."))
                .enable();
    }

    /** Idle connections are closed with the client: at once since Java 21, before that when it is collected. */
    @Override
    public void close() {
        if (client instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new WaybillException("The HTTP client could not be closed: " + e, e);
            }
        }
    }

    /** Endpoints, and how they are asked. What is said here holds for each endpoint by itself. */
    public static final class Builder {

        private final List<Endpoints.Entry> entries = new ArrayList<>();
        private WebhookOptions options = WebhookOptions.DEFAULT;
        private ProxySelector route = new AddressGuard();
        private @Nullable SSLContext sslContext;
        private Time time = Time.system();

        private Builder() {}

        /**
         * Where messages of these destinations go. The first endpoint whose pattern matches is taken.
         *
         * @param pattern {@code orders.*}, or {@code **} for all
         * @param address {@code https://shop.example/hooks}; {@code {destination}} in it stands for the message's destination,
         *     and makes an endpoint of its own for each
         * @param secrets {@code whsec_…}; more than one while they are being changed, each gives a signature
         */
        public Builder endpoint(String pattern, String address, String... secrets) {
            return endpoint(pattern, address, List.of(secrets));
        }

        Builder endpoint(String pattern, String address, List<String> secrets) {
            entries.add(new Endpoints.Entry(DestinationPattern.of(pattern), address, secrets));
            return this;
        }

        /** How long a connection may take; 5 s. */
        public Builder connectTimeout(Duration timeout) {
            return options(options.withConnectTimeout(timeout));
        }

        /** How long an answer may take; 10 s. */
        public Builder timeout(Duration timeout) {
            return options(options.withTimeout(timeout));
        }

        /** How many requests there may be at once, of different keys; 8. */
        public Builder concurrency(int requests) {
            return options(options.withConcurrency(requests));
        }

        /** How many requests there may be in a second; no limit unless it is set. */
        public Builder rate(int perSecond) {
            return options(options.withRate(perSecond));
        }

        /** After how much time no more requests of a batch are started; 10 s. */
        public Builder publishTime(Duration time) {
            return options(options.withPublishTime(time));
        }

        /**
         * Which of the application's own headers are sent, beside those that Waybill writes: {@code x-tenant}, or {@code x-*} for all that
         * begin so; none unless it is said.
         */
        public Builder headers(String... names) {
            return options(options.withHeaders(Stream.of(names)
                    .map(name -> name.strip().toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet())));
        }

        Builder options(WebhookOptions changed) {
            options = changed;
            return this;
        }

        /** Lets requests go to private addresses too: for endpoints in one's own network. */
        public Builder allowPrivate() {
            return route(HttpClient.Builder.NO_PROXY);
        }

        /** Sends through this HTTP proxy, which resolves the names, and whose business it is to keep private addresses out. */
        public Builder proxy(InetSocketAddress proxy) {
            return route(ProxySelector.of(proxy));
        }

        Builder route(ProxySelector selector) {
            route = selector;
            return this;
        }

        /** Whom to trust, when it is not whom the JVM trusts. */
        public Builder sslContext(SSLContext context) {
            sslContext = context;
            return this;
        }

        /** Where time comes from: tests give one that they can move. */
        public Builder time(Time time) {
            this.time = time;
            return this;
        }

        public Webhooks build() {
            return new Webhooks(this);
        }

        /** HTTP/1.1: a connection carries one request at a time, so that one which breaks takes no other request with it. */
        private HttpClient client() {
            var client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(options.connectTimeout())
                    .proxy(route);
            if (sslContext != null) {
                client.sslContext(sslContext);
            }
            return client.build();
        }
    }
}
