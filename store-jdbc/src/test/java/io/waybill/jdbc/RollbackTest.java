package io.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.JdbcTransactions;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever is thrown rolls back. */
class RollbackTest {

    private final TestDatabase database = H2.newDatabase();
    private final JdbcTransactions transactions = new JdbcTransactions(database.dataSource());

    @BeforeEach
    void create() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.createStatement().execute("CREATE TABLE effect (n INT)");
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void an_error_in_a_transaction_of_our_own_rolls_back() {
        var jdbc = new Jdbc(database.dataSource(), Dialect.H2);

        assertThatThrownBy(() -> jdbc.transaction("write", connection -> {
                    write(connection);
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);

        assertThat(effects()).isZero();
    }

    @Test
    void a_checked_exception_that_nobody_declared_rolls_back() {
        var jdbc = new Jdbc(database.dataSource(), Dialect.H2);

        assertThatThrownBy(() -> jdbc.transaction("write", connection -> {
                    write(connection);
                    throw undeclared(new IOException("disk"));
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> transactions.inTransaction(transaction -> {
                    write(transaction.unwrap(Connection.class));
                    throw undeclared(new IOException("disk"));
                }))
                .isInstanceOf(IOException.class);

        assertThat(effects()).isZero();
    }

    @Test
    void work_may_throw_a_checked_exception_which_reaches_the_caller_as_it_is() {
        assertThatThrownBy(() -> transactions.inTransaction(transaction -> {
                    write(transaction.unwrap(Connection.class));
                    return transaction
                            .unwrap(Connection.class)
                            .createStatement()
                            .executeUpdate("INSERT INTO nowhere");
                }))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> transactions.inTransaction(transaction -> {
                    write(transaction.unwrap(Connection.class));
                    throw new IOException("disk");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk");

        assertThat(effects()).isZero();
    }

    private static void write(Connection connection) throws SQLException {
        connection.createStatement().executeUpdate("INSERT INTO effect VALUES (1)");
    }

    private int effects() {
        try (Connection connection = database.dataSource().getConnection();
                var rows = connection.createStatement().executeQuery("SELECT count(*) FROM effect")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What Kotlin and Lombok do. */
    private static RuntimeException undeclared(Throwable thrown) {
        RollbackTest.<RuntimeException>sneak(thrown);
        return new IllegalStateException(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
