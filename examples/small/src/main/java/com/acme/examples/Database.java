package com.acme.examples;

import java.sql.SQLException;
import org.h2.jdbcx.JdbcDataSource;

/** A database in memory for one example. */
final class Database {

    private Database() {}

    static JdbcDataSource inMemory(String name, String... tables) throws SQLException {
        var dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            for (String table : tables) {
                statement.execute(table);
            }
        }
        return dataSource;
    }
}
