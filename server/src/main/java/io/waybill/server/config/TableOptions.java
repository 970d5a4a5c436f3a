package io.waybill.server.config;

import io.waybill.WaybillException;
import io.waybill.server.cli.UsageErrors;
import java.time.DateTimeException;
import java.time.ZoneId;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which table a command works on. */
public final class TableOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "${env:WAYBILL_LAYOUT:-native}",
            description = {
                "The layout of the table: native (the default), kafka-outbox, messenger, messenger-ordered,"
                        + " outbox-messages,",
                "outbox-record, debezium, or a Messenger URL: ordered-doctrine://default?table_name=...&queue_name=..."
            })
    private String layout = LayoutChoice.NATIVE;

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            defaultValue = "${env:WAYBILL_TABLE:-}",
            description = "The name of the table, if it differs from its layout's. The table must exist.")
    private String table = "";

    @Option(
            names = "--time-zone",
            paramLabel = "ZONE",
            defaultValue = "${env:WAYBILL_TIME_ZONE:-}",
            description = {
                "The zone of times without a zone in the table, such as Europe/Warsaw: PHP writes local time (UTC;",
                "outbox-messages: the zone of the database)."
            })
    private String zone = "";

    public LayoutChoice choice(String destination) {
        return UsageErrors.checked(spec, () -> {
            LayoutChoice choice = LayoutChoice.of(layout, table, destination);
            return zone.isEmpty() ? choice : choice.in(zone());
        });
    }

    private ZoneId zone() {
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new WaybillException("--time-zone (" + zone + ") is no time zone: write Europe/Warsaw or +02:00.", e);
        }
    }
}
