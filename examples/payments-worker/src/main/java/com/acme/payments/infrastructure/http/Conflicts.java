package com.acme.payments.infrastructure.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.waybill.command.IdempotencyConflictException;
import jakarta.inject.Singleton;
import java.util.Map;

/** An id that stands for another request already. */
@Singleton
class Conflicts implements ExceptionHandler<IdempotencyConflictException, HttpResponse<Map<String, String>>> {

    @Override
    @SuppressWarnings("rawtypes")
    public HttpResponse<Map<String, String>> handle(HttpRequest request, IdempotencyConflictException problem) {
        return HttpResponse.<Map<String, String>>status(HttpStatus.CONFLICT)
                .body(Map.of("message", "This id belongs to another request."));
    }
}
