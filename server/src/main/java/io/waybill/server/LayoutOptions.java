package io.waybill.server;

import io.waybill.WaybillException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which table a command works on. */
final class LayoutOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "${env:WAYBILL_LAYOUT:-native}",
            description = {
                "Whose table it is: native (the default), kafka-outbox, messenger, messenger-ordered, outbox-messages,",
                "debezium, or a Messenger URL: ordered-doctrine://default?table_name=...&queue_name=..."
            })
    private String layout = LayoutChoice.NATIVE;

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            defaultValue = "${env:WAYBILL_TABLE:-}",
            description = "Its name, when it is not the usual one of its layout.")
    private String table = "";

    @Option(
            names = "--destination",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Where all its messages go, when the table should not say it.")
    private String destination = "";

    LayoutChoice choice() {
        try {
            return LayoutChoice.of(layout, table, destination);
        } catch (WaybillException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
