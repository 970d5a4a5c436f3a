package io.waybill.jdbc.internal.admin;

import static java.util.stream.Collectors.joining;

import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A selection as the condition of a statement on {@code outbox o}. */
public final class SelectionSql {

    /** What groups failed messages: {@link Selection#errorGroup}. */
    public static final String ERROR_GROUP = "SUBSTRING(COALESCE(NULLIF(o.last_error, ''), '" + Selection.NO_ERROR
            + "'), 1, " + Selection.ERROR_GROUP_LENGTH + ")";

    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    private SelectionSql() {}

    /**
     * The condition for messages that match and have one of the allowed statuses.
     *
     * @param clockOffset how far the clock is from that of the database
     */
    public static SelectionSql of(Selection selection, Predicate<OutboxStatus> allowed, Duration clockOffset) {
        var sql = new SelectionSql();
        sql.conditions.add(statuses(selection, allowed));
        if (!selection.ids().isEmpty()) {
            sql.conditions.add("o.outbox_id IN (" + Placeholders.of(selection.ids()) + ")");
            sql.values.addAll(selection.ids());
        }
        selection.idRange().ifPresent(range -> {
            sql.conditions.add("o.outbox_id BETWEEN ? AND ?");
            sql.values.add(range.first());
            sql.values.add(range.last());
        });
        sql.text("o.destination = ?", selection.destination());
        sql.text("o.type = ?", selection.type());
        sql.text("o.partition_key = ?", selection.partitionKey());
        if (!selection.error().isEmpty()) {
            sql.text("LOWER(o.last_error) LIKE ? ESCAPE '!'", "%" + literally(selection.error()) + "%");
        }
        sql.text(ERROR_GROUP + " = ?", selection.errorGroup());
        if (selection.retried()) {
            sql.conditions.add("o.retries > 0");
        }
        if (!selection.olderThan().isZero()) {
            sql.conditions.add("o.created_at <= (SELECT ${now_plus_millis})");
            sql.values.add(clockOffset.minus(selection.olderThan()).toMillis());
        }
        return sql;
    }

    /** With a further condition, unless the text is empty. */
    public SelectionSql and(String condition, String value) {
        text(condition, value);
        return this;
    }

    public String condition() {
        return String.join(" AND ", conditions);
    }

    public Values values() {
        var all = new Values();
        values.forEach(all::and);
        return all;
    }

    int bind(PreparedStatement statement) throws SQLException {
        return Placeholders.bind(statement, 1, values);
    }

    private void text(String condition, String value) {
        if (!value.isEmpty()) {
            conditions.add(condition);
            values.add(value);
        }
    }

    /** Each status with its times, so that every database finds an index for it. */
    private static String statuses(Selection selection, Predicate<OutboxStatus> allowed) {
        String any = Stream.of(OutboxStatus.values())
                .filter(allowed)
                .filter(status ->
                        selection.statuses().isEmpty() || selection.statuses().contains(status))
                .map(SelectionSql::status)
                .collect(joining(" OR "));
        return any.isEmpty() ? "1 = 0" : "(" + any + ")";
    }

    static String status(OutboxStatus status) {
        return switch (status) {
            case WAITING -> "o.status = 'PENDING' AND o.available_at IS NOT NULL";
            case PENDING, HELD, FAILED -> "o.status = '" + status.name() + "' AND o.available_at IS NULL";
            case DISPATCHED, DISCARDED -> "o.status = '" + status.name() + "' AND o.dispatched_at IS NOT NULL";
        };
    }

    public static String literally(String part) {
        return part.toLowerCase(Locale.ROOT)
                .replace("!", "!!")
                .replace("%", "!%")
                .replace("_", "!_");
    }
}
