package io.waybill.console.security;

import io.waybill.WaybillException;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /**
     * Those of a file.
     *
     * @throws WaybillException when it cannot be read, or has none
     */
    public static List<ConsoleUser> read(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            List<ConsoleUser> users = parse(lines);
            if (users.isEmpty()) {
                throw new WaybillException(file + " has no users. Each line is name:role:hash.");
            }
            return users;
        } catch (IOException | UncheckedIOException e) {
            throw new WaybillException("Could not read the users of the console from " + file + ": " + e, e);
        }
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
