package io.waybill.jdbc.schema;

import java.util.List;
import java.util.Locale;

/** What a database user is for. {@link TableRights} says what it must be allowed for that, and no more. */
public enum DatabaseRole {
    /** Publishes what is in the outbox, in a process of its own. */
    RELAY("""
            outbox: SELECT, INSERT, UPDATE, DELETE
            outbox_scheduled: SELECT, UPDATE, DELETE
            outbox_blocked_key: SELECT, INSERT, DELETE
            relay_node: SELECT, INSERT, UPDATE, DELETE
            relay_lease: SELECT, INSERT, UPDATE
            relay_paused_destination: SELECT
            waybill_schema: SELECT
            """),

    /** Appends, publishes and handles messages, commands and processes in its own process. */
    APPLICATION("""
            outbox: SELECT, INSERT, UPDATE, DELETE
            outbox_scheduled: SELECT, INSERT, UPDATE, DELETE
            outbox_sequence: SELECT, INSERT, UPDATE
            outbox_blocked_key: SELECT, INSERT, DELETE
            relay_node: SELECT, INSERT, UPDATE, DELETE
            relay_lease: SELECT, INSERT, UPDATE
            relay_paused_destination: SELECT
            inbox: SELECT, INSERT, UPDATE, DELETE
            waiting_key: SELECT, INSERT, UPDATE, DELETE
            failed_message: SELECT, INSERT, UPDATE, DELETE
            command: SELECT, INSERT, UPDATE, DELETE
            process_instance: SELECT, INSERT, UPDATE, DELETE
            process_step: SELECT, INSERT, UPDATE, DELETE
            process_log: SELECT, INSERT, DELETE
            waybill_schema: SELECT
            """),

    /** Looks at everything and changes what the command line changes. */
    OPERATOR("""
            outbox: SELECT, INSERT, UPDATE, DELETE
            outbox_scheduled: SELECT, UPDATE, DELETE
            outbox_sequence: SELECT
            outbox_blocked_key: SELECT, UPDATE, DELETE
            outbox_archive: SELECT, INSERT
            relay_node: SELECT
            relay_lease: SELECT, UPDATE
            relay_paused_destination: SELECT, INSERT, DELETE
            inbox: SELECT, UPDATE, DELETE
            waiting_key: SELECT
            failed_message: SELECT, UPDATE, DELETE
            command: SELECT, INSERT, DELETE
            process_instance: SELECT, DELETE
            process_step: SELECT, DELETE
            process_log: SELECT, DELETE
            operation_log: SELECT, INSERT, UPDATE
            waybill_schema: SELECT
            """),

    /** Creates and upgrades the tables. */
    MIGRATION("");

    private final String lines;

    DatabaseRole(String lines) {
        this.lines = lines;
    }

    /** As people write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<TableRights.Right> rights(String prefix) {
        return lines.lines()
                .map(line -> line.split(": ", 2))
                .map(line -> new TableRights.Right(prefix + line[0], List.of(line[1].split(", ", -1))))
                .toList();
    }
}
