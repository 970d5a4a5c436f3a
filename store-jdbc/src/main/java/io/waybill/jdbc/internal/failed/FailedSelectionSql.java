package io.waybill.jdbc.internal.failed;

import io.waybill.jdbc.internal.admin.SelectionSql;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.StorableMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.Failure;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A selection as the condition of a statement on {@code failed_message f}. */
final class FailedSelectionSql {

    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    FailedSelectionSql(FailedSelection selection) {
        if (!selection.ids().isEmpty()) {
            conditions.add("f.id IN (" + Placeholders.of(selection.ids()) + ")");
            values.addAll(selection.ids());
        }
        if (selection.fingerprint().length() == Failure.Cause.FINGERPRINT_DIGITS) {
            // The index has such a group in the order of its ids.
            text("f.fingerprint = ?", selection.fingerprint(), selection.fingerprint());
        } else {
            // Not LIKE, which an index helps only in some collations. A fingerprint is of hexadecimal digits.
            text("f.fingerprint >= ?", selection.fingerprint(), selection.fingerprint());
            text("f.fingerprint < ?", selection.fingerprint(), selection.fingerprint() + "g");
        }
        text("f.source = ?", selection.source(), selection.source());
        text("f.handler = ?", selection.handler(), selection.handler());
        text("f.type = ?", selection.type(), StorableMessage.name(selection.type()));
        text("f.partition_key = ?", selection.partitionKey(), StorableMessage.name(selection.partitionKey()));
        if (selection.failedAgain()) {
            conditions.add("f.retries > 0 AND f.retry_id IS NULL");
        }
        text(
                "LOWER(f.error) LIKE ? ESCAPE '!'",
                selection.error(),
                "%" + SelectionSql.literally(selection.error()) + "%");
    }

    String in(String template) {
        return template.replace("${selection}", conditions.isEmpty() ? "1 = 1" : String.join(" AND ", conditions));
    }

    int bind(PreparedStatement statement) throws SQLException {
        return Placeholders.bind(statement, 1, values);
    }

    private void text(String condition, String wanted, String value) {
        if (!wanted.isEmpty()) {
            conditions.add(condition);
            values.add(value);
        }
    }
}
