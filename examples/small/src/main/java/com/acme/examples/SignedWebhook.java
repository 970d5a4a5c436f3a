package com.acme.examples;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.waybill.message.Message;
import io.waybill.runtime.Waybill;
import io.waybill.webhook.Webhooks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A message as a signed POST, and a receiver that checks the signature and drops repetitions. */
public final class SignedWebhook {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /** What a receiver does, in another program. */
    static final class Shop {
        private final Webhook webhook;
        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        Shop(String secret) throws EmptyWebhookSecretException {
            this.webhook = new Webhook(secret);
        }

        void receive(String body, Map<String, List<String>> headers) throws WebhookVerificationException {
            webhook.verify(body, headers);
            if (isNew(headers.get("webhook-id").get(0))) {
                place(body);
            }
        }

        private boolean isNew(String id) {
            return seen.add(id);
        }

        private void place(String body) {
            System.out.println("Received, with a good signature: " + body);
        }

        boolean hasReceived() {
            return !seen.isEmpty();
        }

        void serve(HttpExchange exchange) throws IOException {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int status = 204;
            try {
                receive(body, lowerCase(exchange.getRequestHeaders()));
            } catch (WebhookVerificationException e) {
                status = 400;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        }
    }

    public static void main(String[] args) throws Exception {
        var shop = new Shop(SECRET);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hooks", shop::serve);
        server.start();
        String address = "http://localhost:" + server.getAddress().getPort() + "/hooks";

        var webhooks = Webhooks.builder()
                .endpoint("orders.*", address, SECRET)
                .allowPrivate()
                .build();
        var waybill = Waybill.on(Database.inMemory("webhook"))
                .route("orders.*", webhooks)
                .start();
        waybill.transactions()
                .inTransaction(transaction -> waybill.outbox()
                        .append(Message.event("OrderPlaced", Map.of("order", "o-1"))
                                .to("orders.placed")));

        Wait.until("the message is received", shop::hasReceived);
        waybill.close();
        webhooks.close();
        server.stop(0);
    }

    /** The JDK's server writes names of headers with a capital. */
    private static Map<String, List<String>> lowerCase(Map<String, List<String>> headers) {
        var lower = new TreeMap<String, List<String>>();
        headers.forEach((name, values) -> lower.put(name.toLowerCase(Locale.ROOT), values));
        return lower;
    }

    private SignedWebhook() {}
}
