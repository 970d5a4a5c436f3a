package com.acme.payments.infrastructure.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Nothing but health is for strangers, and of that only UP or DOWN: details are for those with the token. */
@ServerFilter("/**")
class Authentication {

    private static final String BEARER = "Bearer ";

    private final ApiToken token;

    Authentication(ApiToken token) {
        this.token = token;
    }

    @RequestFilter
    @io.micronaut.core.annotation.Nullable
    @Nullable
    HttpResponse<?> check(HttpRequest<?> request) {
        String header = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
        if (header != null && header.startsWith(BEARER) && token.is(header.substring(BEARER.length()))) {
            Principal caller = () -> "api";
            request.setUserPrincipal(caller);
            return null;
        }
        return isHealth(request.getPath()) ? null : unauthorized();
    }

    private static boolean isHealth(String path) {
        return path.equals("/health") || path.equals("/health/liveness") || path.equals("/health/readiness");
    }

    private static MutableHttpResponse<?> unauthorized() {
        return HttpResponse.status(HttpStatus.UNAUTHORIZED).header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
}
