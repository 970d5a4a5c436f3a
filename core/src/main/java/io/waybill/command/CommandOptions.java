package io.waybill.command;

import io.waybill.WaybillException;
import java.time.Duration;
import java.util.Map;

/**
 * How one command is sent.
 *
 * @param delay how long it waits before it may run
 * @param timeout how long its sender waits for the answer; when it is over the command has failed and does not run any more; zero waits
 *     for ever
 * @param headers go with it
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
