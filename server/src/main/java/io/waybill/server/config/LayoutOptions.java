package io.waybill.server.config;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which table a command works on, and where all its messages go. */
public final class LayoutOptions {

    @Mixin
    private TableOptions table = new TableOptions();

    @Option(
            names = "--destination",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The destination of all messages, instead of the one in the table.")
    private String destination = "";

    public LayoutChoice choice() {
        return table.choice(destination);
    }
}
