package io.waybill.command;

import io.waybill.WaybillException;
import java.time.Duration;
import java.util.Map;

/**
 * Options of one command: delay, timeout and headers.
 *
 * @param delay how long it waits before it may run
 * @param timeout how long the sender waits for the reply; after it the command has failed and does not run any more; zero means no
 *     timeout
 * @param headers additional headers of the message
 */
public record CommandOptions(Duration delay, Duration timeout, Map<String, String> headers) {

    public static final CommandOptions DEFAULT = new CommandOptions(Duration.ZERO, Duration.ZERO, Map.of());

    public CommandOptions {
        if (delay.isNegative() || timeout.isNegative()) {
            throw new WaybillException(
                    "delay (" + delay + ") and timeout (" + timeout + ") of a command cannot be negative.");
        }
        headers = Map.copyOf(headers);
    }

    public CommandOptions after(Duration delay) {
        return new CommandOptions(delay, timeout, headers);
    }

    public CommandOptions timeout(Duration timeout) {
        return new CommandOptions(delay, timeout, headers);
    }

    public CommandOptions headers(Map<String, String> headers) {
        return new CommandOptions(delay, timeout, headers);
    }
}
