package io.waybill.jdbc;

import java.util.List;
import java.util.Locale;

/** What a database user is for. {@link TableRights} says what it must be allowed for that, and no more. */
public enum DatabaseRole {
    /** Publishes what is in the outbox, in a process of its own. */
    RELAY(List.of(
            new Line("outbox", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("outbox_scheduled", "SELECT, UPDATE, DELETE"),
            new Line("outbox_blocked_key", "SELECT, INSERT, DELETE"),
            new Line("relay_node", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("relay_lease", "SELECT, INSERT, UPDATE"),
            new Line("waybill_schema", "SELECT"))),

    /** Appends, publishes and handles messages, commands and processes in its own process. */
    APPLICATION(List.of(
            new Line("outbox", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("outbox_scheduled", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("outbox_sequence", "SELECT, INSERT, UPDATE"),
            new Line("outbox_blocked_key", "SELECT, INSERT, DELETE"),
            new Line("relay_node", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("relay_lease", "SELECT, INSERT, UPDATE"),
            new Line("inbox", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("waiting_key", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("failed_message", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("command", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("process_instance", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("process_step", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("process_log", "SELECT, INSERT, DELETE"),
            new Line("waybill_schema", "SELECT"))),

    /** Looks at everything and changes what the command line changes. */
    OPERATOR(List.of(
            new Line("outbox", "SELECT, INSERT, UPDATE, DELETE"),
            new Line("outbox_scheduled", "SELECT"),
            new Line("outbox_sequence", "SELECT"),
            new Line("outbox_blocked_key", "SELECT, UPDATE, DELETE"),
            new Line("outbox_archive", "SELECT, INSERT"),
            new Line("relay_node", "SELECT"),
            new Line("relay_lease", "SELECT, UPDATE"),
            new Line("inbox", "SELECT, UPDATE, DELETE"),
            new Line("waiting_key", "SELECT"),
            new Line("failed_message", "SELECT, UPDATE, DELETE"),
            new Line("command", "SELECT, DELETE"),
            new Line("process_instance", "SELECT, DELETE"),
            new Line("process_step", "SELECT, DELETE"),
            new Line("process_log", "SELECT, DELETE"),
            new Line("operation_log", "SELECT, INSERT, UPDATE"),
            new Line("waybill_schema", "SELECT"))),

    /** Creates and upgrades the tables. */
    MIGRATION(List.of());

    private final List<Line> lines;

    DatabaseRole(List<Line> lines) {
        this.lines = lines;
    }

    /** As people write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<TableRights.Right> rights(String prefix) {
        return lines.stream()
                .map(line -> new TableRights.Right(
                        prefix + line.table(), List.of(line.rights().split(", "))))
                .toList();
    }

    private record Line(String table, String rights) {}
}
