package com.acme.payments.infrastructure.http;

import com.acme.payments.domain.model.Money;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks at what was asked before anything is made of it; what is wrong is an {@link IllegalArgumentException}, which is a 400. */
final class Requests {

    /** Looked at as text: a number that is short to write may be too long to compute with. */
    private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,2})?");

    private Requests() {}

    static <T> T required(@Nullable T value, String field) {
        if (value == null) {
            throw new IllegalArgumentException(field + " is required.");
        }
        return value;
    }

    static Money money(@Nullable String amount, @Nullable String currency, String field) {
        String text = required(amount, field);
        if (text.length() > 15 || !AMOUNT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    field + " is an amount of at most 12 digits and two after the point, such as 30.00.");
        }
        return Money.of(text, required(currency, "currency"));
    }
}
