package com.acme.payments.infrastructure.http;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.validator.TokenValidator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret of the API's clients. There is none to forget: on the embedded database one is made for this run and logged; on any other
 * the application does not start without {@code PAYMENTS_API_TOKEN}.
 */
@Context
final class ApiToken implements TokenValidator<HttpRequest<?>> {

    private static final Logger log = LoggerFactory.getLogger(ApiToken.class);
    private static final int MIN_LENGTH = 16;

    private final byte[] token;

    ApiToken(@Value("${payments.api-token:}") String configured, @Value("${datasources.default.url}") String database) {
        String chosen = configured;
        if (chosen.isEmpty() && database.startsWith("jdbc:h2:mem:")) {
            chosen = random();
            log.info("PAYMENTS_API_TOKEN is not set. For this run it is {}", chosen);
        }
        if (chosen.length() < MIN_LENGTH) {
            throw new IllegalStateException("PAYMENTS_API_TOKEN has " + chosen.length() + " characters. This API moves"
                    + " money: give it a secret of at least " + MIN_LENGTH + ", which callers send as 'Authorization:"
                    + " Bearer ...'.");
        }
        this.token = chosen.getBytes(StandardCharsets.UTF_8);
    }

    private static String random() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** In a time that says nothing about the token. What needs one is in application.yml, at {@code intercept-url-map}. */
    @Override
    public Publisher<Authentication> validateToken(String given, @Nullable HttpRequest<?> request) {
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8))
                ? Publishers.just(Authentication.build("api"))
                : Publishers.empty();
    }
}
