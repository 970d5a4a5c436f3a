package io.waybill.server;

import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the contracts of the command line have in common: a database, and its URL as people write it. */
public abstract class DatabaseScenario {

    public TestDatabase database;
    public String url;

    @SuppressWarnings("NullAway.Init")
    public DatabaseScenario() {}

    public abstract TestDatabase open();

    @BeforeEach
    void openDatabase() {
        database = open();
        url = database.jdbcUrl().substring("jdbc:".length()).replaceFirst("//", "//" + database.user() + "@");
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    void append(int count) {
        var store = JdbcStore.on(database.dataSource());
        store.transactions().inTransaction(transaction -> {
            for (int i = 0; i < count; i++) {
                store.outbox().append(Message.event("OrderPlaced", "{}").to("orders"));
            }
            return count;
        });
    }

    void execute(String sql) throws SQLException {
        database.execute(sql);
    }

    long count(String table) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
