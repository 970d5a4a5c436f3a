package io.waybill.jdbc;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

/** Databases that have the current schema from the start, all copies of one: its tables are created once instead of in each test. */
public final class PostgresWithSchema {

    private static final TestDatabase TEMPLATE = create();

    private PostgresWithSchema() {}

    public static TestDatabase newDatabase() {
        return Postgres.shared().newDatabase(TEMPLATE);
    }

    private static TestDatabase create() {
        TestDatabase database = Postgres.shared().newDatabase();
        JdbcStore.on(database.dataSource()).initializeSchema();
        return database;
    }
}
