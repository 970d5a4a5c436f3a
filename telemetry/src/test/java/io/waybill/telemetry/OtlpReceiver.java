package io.waybill.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A collector that takes spans over OTLP, as one in production does, and keeps them. */
final class OtlpReceiver implements AutoCloseable {

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    OtlpReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    private void take(HttpExchange exchange) throws IOException {
        var request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
        request.getResourceSpansList()
                .forEach(resource -> resource.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList())));
        byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
        exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
