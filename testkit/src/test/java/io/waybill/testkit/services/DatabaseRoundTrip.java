package io.waybill.testkit.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.testkit.services.database.TestDatabase;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What every database service promises. */
public abstract class DatabaseRoundTrip {

    /** Outside the basic plane: lost by a database whose utf8 has three bytes. */
    private static final String TEXT = "Grüße 🚚";

    public abstract TestDatabase newDatabase();

    @Test
    void what_is_written_is_read_again() throws SQLException {
        try (var database = newDatabase()) {
            createNotes(database, TEXT);

            assertThat(notes(database.dataSource())).containsExactly(TEXT);
        }
    }

    @Test
    void url_user_and_password_are_those_of_the_data_source() throws SQLException {
        try (var database = newDatabase()) {
            createNotes(database, TEXT);

            try (var connection =
                            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                    var rows = connection.createStatement().executeQuery("SELECT text FROM note")) {
                assertThat(rows.next()).isTrue();
            }
        }
    }

    @Test
    void two_databases_do_not_see_each_other() throws SQLException {
        try (var one = newDatabase();
                var other = newDatabase()) {
            createNotes(one, "one");
            createNotes(other, "other");

            assertThat(notes(one.dataSource())).containsExactly("one");
            assertThat(notes(other.dataSource())).containsExactly("other");
        }
    }

    @Test
    void closing_drops_the_database_under_an_open_transaction() throws SQLException {
        var database = newDatabase();
        createNotes(database, "gone");
        var connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        connection.createStatement().executeUpdate("INSERT INTO note VALUES ('never committed')");

        database.close();

        assertThatThrownBy(() -> notes(database.dataSource())).isInstanceOf(SQLException.class);
    }

    public static void createNotes(TestDatabase database, String text) throws SQLException {
        try (var connection = database.dataSource().getConnection()) {
            connection.createStatement().execute("CREATE TABLE note (text VARCHAR(100))");
        }
        addNote(database, text);
    }

    public static void addNote(TestDatabase database, String text) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var insert = connection.prepareStatement("INSERT INTO note VALUES (?)")) {
            insert.setString(1, text);
            insert.executeUpdate();
        }
    }

    public static List<String> notes(DataSource dataSource) throws SQLException {
        try (var connection = dataSource.getConnection();
                var rows = connection.createStatement().executeQuery("SELECT text FROM note")) {
            var notes = new ArrayList<String>();
            while (rows.next()) {
                notes.add(rows.getString(1));
            }
            return notes;
        }
    }
}
