package io.waybill.server;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which table a command works on, and where all its messages go. */
final class LayoutOptions {

    @Mixin
    private TableOptions table = new TableOptions();

    @Option(
            names = "--destination",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Where all its messages go, when the table should not say it.")
    private String destination = "";

    LayoutChoice choice() {
        return table.choice(destination);
    }
}
