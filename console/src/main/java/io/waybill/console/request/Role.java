package io.waybill.console.request;

import io.waybill.WaybillException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What somebody may do. Each role includes those before it. */
public enum Role {
    /** Nobody has logged in. */
    ANYONE,
    /** Reads everything that is not masked. */
    VIEWER,
    /** Retries, discards, edits, and operates processes. */
    OPERATOR,
    /** Sees what is masked, which is audited. */
    ADMIN;

    public boolean includes(Role required) {
        return compareTo(required) >= 0;
    }

    /** As it is written in files and responses. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Role of(String word) {
        return Arrays.stream(values())
                .filter(role -> role != ANYONE && role.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new WaybillException("'" + word + "' is not a role: "
                        + Arrays.stream(values())
                                .filter(role -> role != ANYONE)
                                .map(Role::word)
                                .collect(Collectors.joining(", "))
                        + "."));
    }
}
