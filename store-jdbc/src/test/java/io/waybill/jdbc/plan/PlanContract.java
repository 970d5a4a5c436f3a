package io.waybill.jdbc.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** No statement becomes slow because many messages were sent before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PlanContract {

    /** Who groups everything reads everything. */
    private static final Pattern GROUPS = Pattern.compile("GROUP BY f\\.fingerprint");

    private final Dialect dialect;
    private final Explain explain;
    private final TestDatabase database;
    private final RecordingDataSource recorder = new RecordingDataSource();

    PlanContract(Dialect dialect, TestDatabase database) {
        this.dialect = dialect;
        this.explain = Explain.in(dialect);
        this.database = database;
    }

    @BeforeAll
    void do_everything_once_on_big_tables() throws SQLException {
        JdbcStore.on(database.dataSource()).initializeSchema();
        BigTables.fill(database.dataSource(), dialect, 1);
        EveryOperation.on(recorder.around(database.dataSource()));
    }

    @AfterAll
    void drop() {
        database.close();
    }

    @Test
    void every_statement_of_the_product_is_looked_at() throws Exception {
        assertThat(ProductStatements.missingFrom(recorder.statements(), dialect))
                .as("statements that EveryOperation does not run: add the operation there")
                .isEmpty();
    }

    @Test
    void no_statement_reads_a_big_table_from_end_to_end() throws SQLException {
        var scans = new ArrayList<String>();
        for (var statement : recorder.statements()) {
            String plan = statement.isInsert() || isMeantToReadAll(statement.sql()) ? "" : plan(statement);
            if (explain.isFullScan(plan)) {
                scans.add("\n" + statement.sql() + "\n" + plan + "\n");
            }
        }
        assertThat(scans).as("full scans").isEmpty();
    }

    @Test
    void a_statement_without_an_index_would_be_noticed() throws SQLException {
        var statement = new RecordedStatement("SELECT o.id FROM outbox o WHERE o.last_error = 'Busy'", List.of());

        assertThat(explain.isFullScan(plan(statement))).isTrue();
    }

    /** What groups a table; and the keys that are blocked, which a relay reads once a minute. */
    private static boolean isMeantToReadAll(String sql) {
        return GROUPS.matcher(sql).find() || sql.contains("FROM outbox_blocked_key b");
    }

    private String plan(RecordedStatement statement) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return explain.plan(connection, statement);
        }
    }
}
