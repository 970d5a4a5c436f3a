package io.waybill.server.cli;

import picocli.CommandLine.Option;

/** What messages are selected by, wherever they are. */
public final class MessageOptions {

    @Option(names = "--type", paramLabel = "TYPE", defaultValue = "", description = "Of this type.")
    private String type = "";

    @Option(names = "--key", paramLabel = "KEY", defaultValue = "", description = "Of this partition key.")
    private String key = "";

    @Option(names = "--error", paramLabel = "PART", defaultValue = "", description = "Whose last error contains this.")
    private String error = "";

    public String type() {
        return type;
    }

    public String key() {
        return key;
    }

    public String error() {
        return error;
    }
}
