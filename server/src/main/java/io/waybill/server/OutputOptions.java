package io.waybill.server;

import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** How a command answers. */
final class OutputOptions {

    /** The forms of an answer. */
    enum Format {
        TABLE,
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table for people (the default) or json for programs.")
    private Format format = Format.TABLE;

    void print(Answer answer, PrintWriter out) {
        if (isJson()) {
            answer.printJson(out);
        } else {
            answer.printTable(out);
        }
    }

    boolean isJson() {
        return format == Format.JSON;
    }
}
