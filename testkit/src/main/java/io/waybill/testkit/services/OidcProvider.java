package io.waybill.testkit.services;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.waybill.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * An OpenID Connect provider on 127.0.0.1 with the authorization code flow. It asks for no password: everybody who is sent to it is the person
 * that {@link #isNow} named last.
 */
public final class OidcProvider implements AutoCloseable {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int LIFE_SECONDS = 600;

    private final KeyPair keys = keys();
    private final HttpServer server = server();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private volatile Person person = new Person("nobody", List.of());

    private record Person(String name, List<String> groups) {}

    public OidcProvider() {
        server.createContext("/authorize", this::authorize);
        json("/.well-known/openid-configuration", nothing -> metadata());
        json("/keys", nothing -> keySet());
        json("/token", this::tokens);
        server.start();
    }

    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Who logs in from now on: the claims {@code preferred_username} and {@code groups}. */
    public void isNow(String name, String... groups) {
        person = new Person(name, List.of(groups));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = parameters(exchange.getRequestURI().getRawQuery());
        String code = UUID.randomUUID().toString();
        codes.put(code, asked);
        exchange.getResponseHeaders()
                .set("Location", asked.get("redirect_uri") + "?code=" + code + "&state=" + asked.get("state"));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private String metadata() {
        return String.format(Locale.ROOT, """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
                 "jwks_uri": "%1$s/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
                 "id_token_signing_alg_values_supported": ["RS256"], "scopes_supported": ["openid"],
                 "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"]}
                """, issuer());
    }

    private String keySet() {
        var key = (RSAPublicKey) keys.getPublic();
        return String.format(
                Locale.ROOT,
                """
                {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": "%s", "e": "AQAB"}]}
                """,
                BASE64.encodeToString(unsigned(key.getModulus().toByteArray())));
    }

    private static byte[] unsigned(byte[] number) {
        return number[0] == 0 ? Arrays.copyOfRange(number, 1, number.length) : number;
    }

    private String tokens(String form) {
        Map<String, String> asked =
                Objects.requireNonNull(codes.remove(parameters(form).get("code")), "the code is unknown, or was used");
        long now = Time.system().clock().instant().getEpochSecond();
        Person who = person;
        String claims = String.format(
                Locale.ROOT,
                """
                {"iss": "%s", "sub": "%s", "aud": "%s", "iat": %d, "exp": %d, "nonce": "%s",
                 "preferred_username": "%s", "groups": [%s]}
                """,
                issuer(),
                UUID.nameUUIDFromBytes(who.name.getBytes(UTF_8)),
                asked.get("client_id"),
                now,
                now + LIFE_SECONDS,
                asked.get("nonce"),
                who.name,
                who.groups.stream().map(group -> '"' + group + '"').collect(Collectors.joining(", ")));
        return String.format(Locale.ROOT, """
                {"access_token": "opaque", "token_type": "Bearer", "expires_in": %d, "id_token": "%s"}
                """, LIFE_SECONDS, signed(claims));
    }

    private String signed(String claims) {
        String text = encoded("{\"alg\": \"RS256\", \"kid\": \"1\"}") + "." + encoded(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(text.getBytes(UTF_8));
            return text + "." + BASE64.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encoded(String json) {
        return BASE64.encodeToString(json.getBytes(UTF_8));
    }

    private static Map<String, String> parameters(String encoded) {
        return Arrays.stream(encoded.split("&"))
                .map(part -> part.split("=", 2))
                .collect(Collectors.toMap(part -> part[0], part -> URLDecoder.decode(part[1], UTF_8)));
    }

    private void json(String path, UnaryOperator<String> answer) {
        server.createContext(path, exchange -> {
            byte[] body = answer.apply(new String(exchange.getRequestBody().readAllBytes(), UTF_8))
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
