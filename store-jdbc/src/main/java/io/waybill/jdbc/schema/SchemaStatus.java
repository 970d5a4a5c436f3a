package io.waybill.jdbc.schema;

import java.util.List;

/**
 * How far the tables are.
 *
 * @param applied the versions that are there, whoever made them
 * @param missing the versions that are not, or not completely
 * @param problems every table and column that is missing
 */
public record SchemaStatus(List<String> applied, List<String> missing, List<String> problems) {

    public boolean isCurrent() {
        return missing.isEmpty();
    }
}
