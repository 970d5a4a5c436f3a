package io.waybill.server.database;

import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Passwords that are kept in files. */
final class Passwords {

    private Passwords() {}

    static String firstLine(Path file) {
        try {
            String password = Files.readString(file).lines().findFirst().orElse("");
            SecretMask.remember(password);
            return password;
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not read the password from " + (file.isAbsolute() ? file : "the file with the password")
                            + " (" + e.getClass().getSimpleName() + "). Give a readable file, with its full path.",
                    e);
        }
    }
}
