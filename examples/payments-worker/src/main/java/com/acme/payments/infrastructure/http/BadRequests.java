package com.acme.payments.infrastructure.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.util.Map;

/** What a request or a command refuses about itself is the caller's mistake. */
@Singleton
class BadRequests implements ExceptionHandler<IllegalArgumentException, HttpResponse<Map<String, String>>> {

    @Override
    @SuppressWarnings("rawtypes")
    public HttpResponse<Map<String, String>> handle(HttpRequest request, IllegalArgumentException problem) {
        return HttpResponse.badRequest(Map.of("message", String.valueOf(problem.getMessage())));
    }
}
