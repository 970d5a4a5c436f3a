package io.waybill.webhook;

import io.waybill.Time;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireMessage;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One address that takes messages, and whether it wants any now.
 *
 * <p><i>Threads:</i> safe; the publishers of a transport share it.
 */
final class WebhookEndpoint {

    private final URI uri;
    private final Secrets secrets;
    private final WebhookOptions options;
    private final Time time;
    private final TokenBucket rate;
    private boolean gone;
    private @Nullable Pause pause;

    WebhookEndpoint(URI uri, Secrets secrets, WebhookOptions options, Time time) {
        this.uri = uri;
        this.secrets = secrets;
        this.options = options;
        this.time = time;
        this.rate = new TokenBucket(options.rate(), time.nanos());
    }

    /** What to say of a message without asking: the endpoint has said that it wants none, ever or for some time. */
    synchronized Optional<Outcome> suspended() {
        if (gone) {
            return Optional.of(
                    new Outcome.Misconfigured(
                            this
                                    + " responded 410 Gone and is disabled. Remove its route, or enable it again if it accepts messages."));
        }
        if (pause != null && !pause.isOver()) {
            return Optional.of(
                    new Outcome.Unavailable(this + " asked to be left alone for " + seconds(pause.length()) + "."));
        }
        return Optional.empty();
    }

    synchronized void enable() {
        gone = false;
        pause = null;
    }

    TokenBucket rate() {
        return rate;
    }

    HttpRequest request(UUID id, WireMessage message) {
        long timestamp = time.clock().instant().getEpochSecond();
        var request = HttpRequest.newBuilder(uri)
                .timeout(options.timeout())
                .POST(BodyPublishers.ofByteArray(message.body()))
                .setHeader("user-agent", "Waybill")
                .setHeader(RequestHeaders.WEBHOOK_ID, id.toString())
                .setHeader(RequestHeaders.WEBHOOK_TIMESTAMP, Long.toString(timestamp))
                .setHeader(RequestHeaders.WEBHOOK_SIGNATURE, secrets.sign(id.toString(), timestamp, message.body()));
        RequestHeaders.of(message.headers(), options.headers()).forEach(request::setHeader);
        return request.build();
    }

    Outcome responded(WebhookResponse response) {
        response.close();
        Outcome outcome = ResponseMeaning.of(toString(), response);
        if (response.status() == ResponseMeaning.GONE) {
            disable();
        } else if (outcome instanceof Outcome.Unavailable) {
            ResponseMeaning.retryAfter(response, time.clock()).ifPresent(this::leaveAlone);
        }
        return outcome;
    }

    private synchronized void disable() {
        gone = true;
    }

    private synchronized void leaveAlone(Duration length) {
        pause = new Pause(length, time.stopwatch());
    }

    /** There was no answer. */
    Outcome failed(Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof AddressGuard.ForbiddenAddress) {
            return new Outcome.Misconfigured("Nothing is sent to " + this + ": " + failure.getMessage());
        }
        if (caused(failure, CertificateException.class) || caused(failure, CertPathBuilderException.class)) {
            return new Outcome.Misconfigured(this + " has a certificate that is not trusted: "
                    + rootOf(failure).getMessage() + ".");
        }
        if (failure instanceof SSLException && !isBrokenOff(failure)) {
            return new Outcome.Misconfigured(this + " and this JVM do not agree on TLS (" + failure.getMessage()
                    + "). Is the port one for TLS?");
        }
        if (failure instanceof ProtocolException) {
            return new Outcome.Misconfigured(
                    this + " does not respond in HTTP. If this is its port for TLS, write https.");
        }
        return new Outcome.Unavailable(this + " " + problem(failure));
    }

    /** A server may go away while TLS is being agreed on: then there is an end of the connection, and nothing that it said. */
    private static boolean isBrokenOff(Throwable failure) {
        Throwable root = rootOf(failure);
        return root instanceof EOFException
                || root instanceof SocketException
                || "Remote host terminated the handshake".equals(root.getMessage());
    }

    private String problem(Throwable failure) {
        if (failure instanceof HttpConnectTimeoutException) {
            return "cannot be connected to within " + seconds(options.connectTimeout()) + "." + tlsHint();
        } else if (failure instanceof HttpTimeoutException) {
            return "did not respond within " + seconds(options.timeout()) + ".";
        } else if (caused(failure, UnknownHostException.class) || caused(failure, UnresolvedAddressException.class)) {
            return "has a name that cannot be resolved.";
        } else if (failure instanceof ConnectException) {
            return "takes no connections.";
        } else if (failure instanceof SSLException) {
            return "ended the connection while TLS was being agreed on." + tlsHint();
        }
        return "gave no response: " + failure;
    }

    /** Some servers without TLS do not respond to a TLS handshake. */
    private String tlsHint() {
        return "https".equals(uri.getScheme()) ? " Is the port one for TLS?" : "";
    }

    private static boolean caused(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    /** Without the query, which is where addresses hide their secrets. */
    @Override
    public String toString() {
        return uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath();
    }

    private record Pause(Duration length, Time.Stopwatch since) {

        boolean isOver() {
            return since.hasReached(length);
        }
    }
}
