package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.message.DestinationPattern;
import io.waybill.transport.TransportUrl;
import java.net.URI;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which destination goes to which endpoint; the first entry that matches is taken.
 *
 * <p><i>Threads:</i> safe.
 */
final class Endpoints {

    static final String PLACEHOLDER = "{destination}";

    private final List<Entry> entries;
    private final WebhookOptions options;
    private final Time time;
    private final Map<String, Optional<WebhookEndpoint>> found = new ConcurrentHashMap<>();

    Endpoints(List<Entry> entries, WebhookOptions options, Time time) {
        this.entries = List.copyOf(entries);
        this.options = options;
        this.time = time;
    }

    Optional<WebhookEndpoint> to(String destination) {
        return found.computeIfAbsent(
                destination,
                name -> entries.stream()
                        .filter(entry -> entry.pattern.matches(name))
                        .findFirst()
                        .map(entry -> entry.endpoint(name, options, time)));
    }

    /** The endpoints of a group of destinations: one, or one for each destination where its name is in the address. */
    static final class Entry {

        private final DestinationPattern pattern;
        private final String address;
        private final Secrets secrets;
        private final Map<URI, WebhookEndpoint> endpoints = new ConcurrentHashMap<>();

        Entry(DestinationPattern pattern, String address, List<String> secrets) {
            this.pattern = pattern;
            this.address = address;
            this.secrets = Secrets.of(checked(address), secrets);
        }

        private WebhookEndpoint endpoint(String destination, WebhookOptions options, Time time) {
            if (address.contains(PLACEHOLDER) && (destination.isBlank() || destination.matches("\\.{1,2}"))) {
                throw new WaybillException("The destination '" + destination + "' would lead to another address than "
                        + shown(address) + " says. Rename it.");
            }
            return endpoints.computeIfAbsent(
                    uri(address, destination), uri -> new WebhookEndpoint(uri, secrets, options, time));
        }

        private static URI uri(String address, String destination) {
            return URI.create(address.replace(
                    PLACEHOLDER, URLEncoder.encode(destination, UTF_8).replace("+", "%20")));
        }

        private static String checked(String address) {
            URI uri;
            try {
                uri = uri(address, "destination");
            } catch (IllegalArgumentException e) {
                throw new WaybillException("'" + shown(address) + "' is not the address of an endpoint."
                        + " Write for example https://shop.example/hooks/" + PLACEHOLDER + ".");
            }
            String authority = uri.getRawAuthority();
            if (authority != null) {
                TransportUrl.hostsIn(shown(address), authority.substring(authority.lastIndexOf('@') + 1));
            }
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!http || uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
                throw new WaybillException("'" + shown(address) + "' cannot be the address of an endpoint: it has to be"
                        + " http:// or https:// with a host, without user, password or fragment.");
            }
            return shown(address);
        }

        /** Without what may be a secret. */
        private static String shown(String address) {
            return address.replaceAll("//[^/@]*@", "//***@").replaceAll("\\?.*", "");
        }
    }
}
