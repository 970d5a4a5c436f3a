package io.waybill.testkit.services.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.testkit.services.DatabaseRoundTrip;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PostgresTest extends DatabaseRoundTrip {

    @Override
    public TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }

    @Test
    void a_copy_has_what_its_template_has_and_goes_its_own_way() throws SQLException {
        var server = Postgres.shared();
        try (var template = server.newDatabase()) {
            createNotes(template, "from the template");
            try (var one = server.newDatabase(template);
                    var other = server.newDatabase(template)) {
                addNote(one, "of one");

                assertThat(notes(one.dataSource())).containsExactly("from the template", "of one");
                assertThat(notes(other.dataSource())).containsExactly("from the template");
            }
        }
    }

    @Test
    void a_server_that_was_killed_comes_back_with_what_was_committed() throws SQLException {
        try (var postgres = Postgres.start()) {
            var database = postgres.newDatabase();
            createNotes(database, "committed");
            var connection = database.dataSource().getConnection();

            postgres.crash();
            assertThatThrownBy(() -> connection.createStatement().execute("SELECT 1"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> database.dataSource().getConnection()).isInstanceOf(SQLException.class);

            postgres.restart();
            assertThat(notes(database.dataSource())).containsExactly("committed");
        }
    }

    @Test
    void a_server_that_was_stopped_comes_back() throws SQLException {
        try (var postgres = Postgres.start()) {
            var database = postgres.newDatabase();
            createNotes(database, "kept");

            postgres.stop();
            assertThatThrownBy(() -> database.dataSource().getConnection()).isInstanceOf(SQLException.class);

            postgres.restart();
            assertThat(notes(database.dataSource())).containsExactly("kept");
        }
    }

    @Test
    void the_shared_server_cannot_be_taken_from_the_others() {
        var shared = Postgres.shared();

        assertThatThrownBy(shared::crash)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Postgres.start()");
        assertThatThrownBy(shared::close).isInstanceOf(IllegalStateException.class);
    }
}
