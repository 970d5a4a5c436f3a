package com.acme.payments.infrastructure.http;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.security.Principal;

/** Gives endpoints the caller whom {@link Authentication} has recognised, as Micronaut Security would: health shows details to one. */
@Singleton
class CallerBinder implements TypedRequestArgumentBinder<Principal> {

    @Override
    public Argument<Principal> argumentType() {
        return Argument.of(Principal.class);
    }

    @Override
    public BindingResult<Principal> bind(ArgumentConversionContext<Principal> context, HttpRequest<?> request) {
        return request::getUserPrincipal;
    }
}
