package io.waybill.server.relay;

import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.message.Payload;
import io.waybill.server.cli.Listing;
import java.net.InetSocketAddress;

/**
 * Tells probes how a relay service is: {@code /health/live}, whether it must be restarted, and {@code /health/ready}, whether it can
 * read any of its sources. Both answer 200 or 503, with what is wrong in JSON. Lag fails neither. {@code /metrics} is for Prometheus.
 *
 * <p><i>Threads:</i> its own, which wait for nobody: what they answer is read from fields that others write. It has nothing in common with the
 * server of the console but the class, so that what is asked there keeps no probe waiting.
 */
public final class HealthServer implements AutoCloseable {

    private static final String NAME = "waybill-health";
    private static final String JSON = "application/json";

    private final ConsoleServer server;
    private final RelayService service;

    private HealthServer(ConsoleServer server, RelayService service) {
        this.server = server;
        this.service = service;
    }

    static HealthServer start(InetSocketAddress address, RelayService service) {
        var server = ConsoleServer.start(NAME, address, request -> answer(request, service));
        service.meters().start();
        return new HealthServer(server, service);
    }

    int port() {
        return server.port();
    }

    private static ConsoleResponse answer(ConsoleRequest request, RelayService service) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return response(405, JSON, "");
        }
        return switch (request.path()) {
            case "/health/live" -> health(service.isAlive(), service);
            case "/health/ready" -> health(service.isReady(), service);
            case "/metrics" ->
                response(200, ServiceMeters.CONTENT_TYPE, service.meters().page());
            default -> response(404, JSON, "");
        };
    }

    private static ConsoleResponse health(boolean healthy, RelayService service) {
        return response(
                healthy ? 200 : 503,
                JSON,
                "{\"status\":\"" + (healthy ? "UP" : "DOWN") + "\",\"problems\":" + Listing.object(service.problems())
                        + ",\"destinations\":" + Listing.object(service.destinations()) + ",\"waiting\":"
                        + Listing.object(service.waiting()) + "}\n");
    }

    private static ConsoleResponse response(int status, String type, String body) {
        return ConsoleResponse.of(status, type, Payload.text(body)).header("Cache-Control", "no-store");
    }

    @Override
    public void close() {
        service.meters().close();
        server.close();
    }
}
