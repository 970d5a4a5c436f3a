package io.waybill.jdbc.schema;

import java.util.List;
import java.util.Map;

/**
 * How far the tables are.
 *
 * @param applied the versions that are there, whichever tool made them
 * @param missing the versions that are not, or not completely
 * @param problems every table and column that is missing
 * @param unreadable versions of which nothing is known to be missing, with those of their tables that this user may not read
 */
public record SchemaStatus(
        List<String> applied, List<String> missing, List<String> problems, Map<String, List<String>> unreadable) {

    /** Whether nothing is missing, as far as this user may read the tables. */
    public boolean isCurrent() {
        return missing.isEmpty();
    }
}
