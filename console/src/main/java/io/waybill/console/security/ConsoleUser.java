package io.waybill.console.security;

import io.waybill.WaybillException;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import java.util.List;
import java.util.stream.Stream;

/** Somebody who may use the console, by a password or a bearer token. */
public record ConsoleUser(String name, Role role, PasswordHash secret) {

    public ConsoleUser {
        if (name.isBlank() || name.contains(":")) {
            throw new WaybillException("'" + name + "' is not the name of a user: it is empty or has a colon.");
        }
    }

    /** Users as a file has them: {@code name:role:hash} in each line; empty lines and those with {@code #} are left out. */
    public static List<ConsoleUser> parse(Stream<String> lines) {
        return lines.map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(ConsoleUser::parse)
                .toList();
    }

    private static ConsoleUser parse(String line) {
        String[] parts = line.split(":", 3);
        if (parts.length < 3) {
            throw new WaybillException(
                    "A line of the users' file is not name:role:hash. 'waybill console hash' prints the hash.");
        }
        return new ConsoleUser(parts[0], Role.of(parts[1]), PasswordHash.parse(parts[2]));
    }

    Identity identity() {
        return new Identity(name, role);
    }

    @Override
    public String toString() {
        return name + " (" + role.word() + ")";
    }
}
