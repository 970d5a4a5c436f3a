package io.waybill.webhook;

import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportProvider;
import io.waybill.transport.TransportUrl;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code webhook+https://host/path?secret-file=…}: one endpoint for all destinations of a route. */
public final class WebhookProvider implements TransportProvider {

    private static final String SECRET = "secret";
    private static final String SECRET_FILE = "secret-file";
    private static final String SECRET_ENV = "secret-env";
    private static final String CONNECT_TIMEOUT = "connect-timeout";
    private static final String TIMEOUT = "timeout";
    private static final String CONCURRENCY = "concurrency";
    private static final String RATE = "rate";
    private static final String ALLOW_PRIVATE = "allow-private";
    private static final String PROXY = "proxy";
    private static final String HEADERS = "headers";

    private final UnaryOperator<@Nullable String> environment;

    public WebhookProvider() {
        this(System::getenv);
    }

    WebhookProvider(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("webhook+https", "webhook+http");
    }

    @Override
    public Transport open(TransportUrl url) {
        url.allowParameters(
                SECRET,
                SECRET_FILE,
                SECRET_ENV,
                CONNECT_TIMEOUT,
                TIMEOUT,
                CONCURRENCY,
                RATE,
                ALLOW_PRIVATE,
                PROXY,
                HEADERS);
        WebhookOptions defaults = WebhookOptions.DEFAULT;
        var builder = Webhooks.builder()
                .endpoint("**", address(url), secrets(url))
                .connectTimeout(duration(url, CONNECT_TIMEOUT, defaults.connectTimeout()))
                .timeout(duration(url, TIMEOUT, defaults.timeout()))
                .concurrency(number(url, CONCURRENCY, defaults.concurrency()))
                .rate(number(url, RATE, defaults.rate()))
                .headers(headers(url));
        if (flag(url, ALLOW_PRIVATE)) {
            builder.allowPrivate();
        }
        if (url.parameters().containsKey(PROXY)) {
            builder.proxy(proxy(url));
        }
        return builder.build();
    }

    private static String address(TransportUrl url) {
        if (!url.user().isEmpty()) {
            throw new WaybillException(
                    url + " names a user, but webhooks are signed and have no user. Remove the user and the password.");
        }
        if (url.hosts().size() != 1) {
            throw new WaybillException(url + " has to name one host, as in webhook+https://shop.example/hooks.");
        }
        String scheme = url.scheme().substring("webhook+".length());
        return scheme + "://" + url.hosts().get(0) + "/" + encoded(url.path());
    }

    /** The path was decoded when the URL was taken apart; the braces of a placeholder are no part of a path and stay. */
    private static String encoded(String path) {
        try {
            String raw = new URI(null, null, "/" + path, null).getRawPath().substring(1);
            return raw.replace("%7B", "{").replace("%7D", "}");
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    /** From the URL, a file and the environment, all that are given: several are separated by spaces, commas or line breaks. */
    private List<String> secrets(TransportUrl url) {
        return Stream.of(url.parameter(SECRET, ""), fromFile(url), fromEnvironment(url))
                .flatMap(text -> Stream.of(text.split("[\\s,]+")))
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    private static String fromFile(TransportUrl url) {
        String file = url.parameter(SECRET_FILE, "");
        if (file.isEmpty()) {
            return "";
        }
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new WaybillException("The secrets of " + url + " cannot be read from " + file + ": " + e, e);
        }
    }

    private String fromEnvironment(TransportUrl url) {
        String variable = url.parameter(SECRET_ENV, "");
        if (variable.isEmpty()) {
            return "";
        }
        String secrets = environment.apply(variable);
        if (secrets == null || secrets.isBlank()) {
            throw new WaybillException("The secrets of " + url + " are to come from the environment variable "
                    + variable + ", which is not set.");
        }
        return secrets;
    }

    private static String[] headers(TransportUrl url) {
        return Stream.of(url.parameter(HEADERS, "").split(","))
                .filter(name -> !name.isBlank())
                .toArray(String[]::new);
    }

    private static Duration duration(TransportUrl url, String name, Duration otherwise) {
        String text = url.parameter(name, "");
        try {
            return text.isEmpty() ? otherwise : Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        } catch (DateTimeException e) {
            throw unreadable(url, name, text, "a span of time, for example 10s, 0.5s or 1m");
        }
    }

    private static int number(TransportUrl url, String name, int otherwise) {
        String text = url.parameter(name, "");
        try {
            return text.isEmpty() ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw unreadable(url, name, text, "a number");
        }
    }

    private static boolean flag(TransportUrl url, String name) {
        String text = url.parameter(name, "false");
        if (!text.equals("true") && !text.equals("false")) {
            throw unreadable(url, name, text, "true or false");
        }
        return text.equals("true");
    }

    private static InetSocketAddress proxy(TransportUrl url) {
        String text = url.parameter(PROXY, "");
        int colon = text.lastIndexOf(':');
        if (!text.matches("[^,]+:[0-9]+")) {
            throw unreadable(url, PROXY, text, "host:port");
        }
        TransportUrl.hostsIn(text, text);
        return InetSocketAddress.createUnresolved(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static WaybillException unreadable(TransportUrl url, String name, String text, String wanted) {
        return new WaybillException(name + "=" + SecretMask.value(text) + " in " + url + " has to be " + wanted + ".");
    }
}
