package io.waybill.server.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** How a command answers. */
public final class OutputOptions {

    /** The forms of an answer. */
    enum Format {
        TABLE,
        JSON,
        NDJSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table for people (the default), json for programs, or ndjson: one JSON object per line.")
    private Format format = Format.TABLE;

    public void print(Listing answer, PrintWriter out) {
        switch (format) {
            case TABLE -> answer.printTable(out);
            case JSON -> answer.printJson(out);
            case NDJSON -> answer.printNdjson(out);
        }
    }

    /** Whether a program reads it: numbers and times as they are, no words around them. */
    public boolean isJson() {
        return format != Format.TABLE;
    }
}
