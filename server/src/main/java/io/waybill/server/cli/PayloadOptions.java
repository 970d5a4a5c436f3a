package io.waybill.server.cli;

import io.waybill.WaybillException;
import io.waybill.message.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Another payload for a message. */
public final class PayloadOptions {

    @Option(names = "--payload", paramLabel = "TEXT", description = "The new payload.")
    private @Nullable String payload;

    @Option(names = "--payload-file", paramLabel = "FILE", description = "A file with the new payload.")
    private @Nullable Path payloadFile;

    /** None when neither is given. */
    public Optional<Payload> payload() {
        if (payloadFile == null) {
            return Optional.ofNullable(payload).map(Payload::text);
        }
        try {
            return Optional.of(Payload.received("", Files.readAllBytes(payloadFile)));
        } catch (IOException e) {
            throw new WaybillException("Could not read the payload from " + payloadFile + ": " + e, e);
        }
    }
}
