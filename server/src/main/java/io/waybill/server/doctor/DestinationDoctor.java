package io.waybill.server.doctor;

import io.waybill.WaybillException;
import io.waybill.server.config.BrokerUrl;
import io.waybill.server.database.ClearText;
import io.waybill.transport.SecretMask;
import io.waybill.transport.TransportUrl;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks whether a destination can be reached. Nothing is sent. */
final class DestinationDoctor {

    private static final int CONNECT_MILLIS = 5_000;

    private static final Map<String, Integer> USUAL_PORTS = Map.of(
            "kafka", 9092,
            "amqp", 5672,
            "amqps", 5671,
            "jms+artemis", 61616,
            "webhook+http", 80,
            "webhook+https", 443);

    private DestinationDoctor() {}

    static List<Finding> look(String to) {
        try {
            BrokerUrl.open(to).close();
            TransportUrl url = TransportUrl.parse(to);
            Finding reached = reached(url);
            return ClearText.of(url)
                    .map(warning -> List.of(reached, Finding.warn(reached.where(), "tls", warning, "")))
                    .orElse(List.of(reached));
        } catch (WaybillException e) {
            return List.of(Finding.bad(
                    "destination", "reach", SecretMask.text(String.valueOf(e.getMessage())), "Fix the URL."));
        }
    }

    private static Finding reached(TransportUrl url) {
        List<String> problems = new ArrayList<>();
        for (String host : url.hosts()) {
            try {
                reach(host, USUAL_PORTS.getOrDefault(url.scheme(), 0));
            } catch (IOException e) {
                problems.add(host + ": " + e.getMessage());
            }
        }
        String where = url.toString();
        if (problems.isEmpty()) {
            return Finding.ok(where, "reach", url.hosts().isEmpty() ? "can be opened" : "responds");
        }
        String advice = "Check that it runs, and its host and port. Messages wait, and nothing is lost.";
        return problems.size() == url.hosts().size()
                ? Finding.bad(where, "reach", "It does not respond: " + String.join("; ", problems), advice)
                : Finding.warn(where, "reach", "Some do not respond: " + String.join("; ", problems), advice);
    }

    private static void reach(String host, int usualPort) throws IOException {
        int colon = host.lastIndexOf(':');
        boolean hasPort = colon > 0 && host.substring(colon + 1).matches("\\d{1,5}");
        String name = hasPort ? host.substring(0, colon) : host;
        int port = hasPort ? Integer.parseInt(host.substring(colon + 1)) : usualPort;
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(name.replaceAll("[\\[\\]]", ""), port), CONNECT_MILLIS);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
