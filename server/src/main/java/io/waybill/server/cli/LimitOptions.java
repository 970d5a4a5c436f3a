package io.waybill.server.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How long a list may be. */
public final class LimitOptions {

    private static final int MAX_LIMIT = 10_000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit = 50;

    public int limit() {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ParameterException(
                    spec.commandLine(), "--limit (" + limit + ") must be between 1 and " + MAX_LIMIT + ".");
        }
        return limit;
    }
}
