package io.waybill.testkit.services.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.testkit.services.DatabaseRoundTrip;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbTest extends DatabaseRoundTrip {

    @Override
    public TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }

    @Test
    void a_server_that_was_killed_comes_back_with_what_was_committed() throws SQLException {
        try (var server = MariaDb.start()) {
            var database = server.newDatabase();
            createNotes(database, "committed");
            var connection = database.dataSource().getConnection();

            server.crash();
            assertThatThrownBy(() -> connection.createStatement().execute("SELECT 1"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> database.dataSource().getConnection()).isInstanceOf(SQLException.class);

            server.restart();
            assertThat(notes(database.dataSource())).containsExactly("committed");
        }
    }

    @Test
    void users_and_passwords_are_looked_at() throws SQLException {
        try (var database = newDatabase()) {
            assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "nobody", ""))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), database.user(), "wrong"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void the_shared_server_cannot_be_taken_from_the_others() {
        var shared = MariaDb.shared();

        assertThatThrownBy(shared::crash)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("MariaDb.start()");
        assertThatThrownBy(shared::close).isInstanceOf(IllegalStateException.class);
    }
}
