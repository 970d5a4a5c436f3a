package io.waybill.jms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.waybill.WaybillException;
import io.waybill.jms.client.IbmMqSettings;
import io.waybill.jms.client.QueueNames;
import io.waybill.transport.SecretMask;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportProvider;
import io.waybill.transport.TransportUrl;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code jms+artemis://user:password@host:port} and {@code jms+ibmmq://user:password@host:port/QMGR?channel=NAME}. */
public final class JmsProvider implements TransportProvider {

    private static final String ARTEMIS = "jms+artemis";
    private static final String IBM_MQ = "jms+ibmmq";
    private static final int ARTEMIS_PORT = 61616;
    private static final long MAX_CONNECT_SECONDS = 5;
    private static final long MAX_CALL_SECONDS = 10;

    /** Ours, and what Artemis calls it. */
    private static final Map<String, String> STORES = Map.of(
            "trust-store", "trustStorePath",
            "trust-store-password", "trustStorePassword",
            "key-store", "keyStorePath",
            "key-store-password", "keyStorePassword");

    @Override
    public Set<String> schemes() {
        return Set.of(ARTEMIS, IBM_MQ);
    }

    @Override
    public Transport open(TransportUrl url) {
        if (url.hosts().isEmpty()) {
            throw new WaybillException(url + " names no host. Write " + url.scheme() + "://host"
                    + (url.scheme().equals(IBM_MQ) ? "/QMGR?channel=NAME" : "") + ".");
        }
        Jms jms = url.scheme().equals(ARTEMIS) ? artemis(url) : ibmMq(url);
        return jms.withQueueNames(new QueueNames(url.parameter("queue-prefix", ""), url.parameter("queue-suffix", "")))
                .withTimeout(Duration.ofSeconds(timeoutSeconds(url)));
    }

    private static Jms artemis(TransportUrl url) {
        url.allowParameters(
                "tls",
                "trust-store",
                "trust-store-password",
                "key-store",
                "key-store-password",
                "queue-prefix",
                "queue-suffix",
                "timeout-seconds");
        if (!url.path().isEmpty()) {
            throw new WaybillException(
                    url + " has a path, which Artemis has no use for: queues are named by destinations.");
        }
        String transport = query(transportParameters(url));
        // A request of the client may not outlive the transaction it belongs to.
        String calls = "callTimeout=" + millis(url, MAX_CALL_SECONDS);
        List<String> servers = url.hosts().stream()
                .map(host -> "tcp://" + (hasPort(host) ? host : host + ":" + ARTEMIS_PORT) + transport)
                .toList();
        return Jms.artemis(
                servers.size() == 1 ? servers.get(0) + "&" + calls : "(" + String.join(",", servers) + ")?" + calls,
                url.user(),
                url.password());
    }

    private static Map<String, String> transportParameters(TransportUrl url) {
        var parameters = new LinkedHashMap<String, String>();
        // The client would wait half a minute for a host that does not answer; a relay has other things to do.
        parameters.put("connect-timeout-millis", millis(url, MAX_CONNECT_SECONDS));
        if (isTls(url)) {
            parameters.put("sslEnabled", "true");
        }
        STORES.forEach((ours, theirs) -> {
            if (url.parameters().containsKey(ours)) {
                parameters.put(theirs, url.parameter(ours, ""));
            }
        });
        return parameters;
    }

    private static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), UTF_8))
                .collect(joining("&", "?", ""));
    }

    private static String millis(TransportUrl url, long atMostSeconds) {
        return String.valueOf(1_000 * Math.min(atMostSeconds, timeoutSeconds(url)));
    }

    private static boolean isTls(TransportUrl url) {
        String tls = url.parameter("tls", "false");
        if (!Set.of("true", "false").contains(tls)) {
            throw new WaybillException(
                    url + " has tls=" + SecretMask.value(tls) + ", which is neither true nor false.");
        }
        return tls.equals("true");
    }

    private static Jms ibmMq(TransportUrl url) {
        url.allowParameters("channel", "cipher-suite", "queue-prefix", "queue-suffix", "timeout-seconds");
        if (!url.parameters().containsKey("channel")) {
            throw new WaybillException(
                    url + " names no channel. Add the server-connection channel: ?channel=DEV.APP.SVRCONN.");
        }
        return Jms.ibmMq(new IbmMqSettings(
                url.hosts(),
                url.path(),
                url.parameter("channel", ""),
                url.user(),
                url.password(),
                url.parameter("cipher-suite", "")));
    }

    private static boolean hasPort(String host) {
        return host.matches(".*:\\d+");
    }

    private static long timeoutSeconds(TransportUrl url) {
        String seconds = url.parameter("timeout-seconds", String.valueOf(Jms.DEFAULT_TIMEOUT.toSeconds()));
        try {
            return Long.parseLong(seconds);
        } catch (NumberFormatException e) {
            throw new WaybillException(
                    url + " has timeout-seconds=" + SecretMask.value(seconds) + ", which is no number.");
        }
    }
}
