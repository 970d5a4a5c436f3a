package io.waybill.server;

import io.waybill.WaybillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Passwords that are kept in files. */
final class Passwords {

    private Passwords() {}

    static String firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not read the password from " + file + ": " + e + ". Give --password-file a readable file.",
                    e);
        }
    }
}
