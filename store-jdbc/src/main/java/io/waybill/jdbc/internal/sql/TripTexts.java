package io.waybill.jdbc.internal.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts of statements that PostgreSQL gets at once. Remembered, because they are long, and the driver looks up by them what it has
 * prepared.
 *
 * <p><i>Threads:</i> safe.
 */
final class TripTexts {

    /** There are a handful, unless messages have a lot of different consequences. */
    private static final int MAX_TEXTS = 500;

    /** What a check that fails tries to read as a number. */
    private static final String FAILED_CHECK = "waybill-check-";

    private static final Pattern FAILED_CHECKS = Pattern.compile(FAILED_CHECK + "(\\d+)");

    private final Map<List<Object>, String> texts = new ConcurrentHashMap<>();

    /** What must write one row is an error in the database when it does not, so that nothing behind it is done. */
    String of(List<Write> writes, boolean committing) {
        var key = new ArrayList<Object>(writes.size() + 3);
        key.add(committing);
        for (int i = 0; i < writes.size(); i++) {
            key.add(writes.get(i).sql());
            if (writes.get(i).isChecked()) {
                key.add(i);
            }
        }
        if (texts.size() > MAX_TEXTS) {
            texts.clear();
        }
        return texts.computeIfAbsent(key, none -> text(writes, committing));
    }

    /** Which of the writes did not write its row, if that is what the error says. */
    static Optional<Integer> failedCheck(SQLException e) {
        Matcher check = FAILED_CHECKS.matcher(String.valueOf(e.getMessage()));
        return check.find() ? Optional.of(Integer.valueOf(check.group(1))) : Optional.empty();
    }

    private static String text(List<Write> writes, boolean committing) {
        var text = new StringBuilder();
        int from = 0;
        while (from < writes.size()) {
            int to = from + 1;
            if (writes.get(from).isChecked()) {
                while (to < writes.size() && isAnotherCheck(writes.subList(from, to), writes.get(to))) {
                    to++;
                }
                text.append(checked(writes, from, to));
            } else {
                text.append(writes.get(from).sql());
            }
            text.append(";\n");
            from = to;
        }
        return text.append(committing ? "COMMIT" : "").toString();
    }

    /** The same statement might be about the same row, which one statement does not change twice. */
    private static boolean isAnotherCheck(List<Write> before, Write write) {
        return write.isChecked()
                && before.stream().noneMatch(other -> other.sql().equals(write.sql()));
    }

    /** One statement for these, which fails with the name of the check when one of them writes nothing. */
    private static String checked(List<Write> all, int from, int to) {
        var writes = new ArrayList<String>();
        var checks = new StringBuilder();
        for (int i = from; i < to; i++) {
            writes.add("w" + i + " AS (" + all.get(i).sql() + " RETURNING 1)");
            checks.append(" WHEN (SELECT * FROM w" + i + ") IS NULL THEN '" + FAILED_CHECK + i + "'");
        }
        return "WITH " + String.join(", ", writes) + " SELECT CAST(CASE" + checks + " ELSE '1' END AS INT)";
    }
}
