package io.waybill.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Writes that go to the database together. What follows from a message is half a dozen statements in several tables, and their way to
 * the server and back costs more than the statements: PostgreSQL's driver sends them at once.
 *
 * <p><i>Threads:</i> safe; writes are put off for the thread that opened {@link #together}.
 */
final class RoundTrips {

    /** More are sent as a batch for each statement, so that there are not too many different texts to remember. */
    private static final int MOST_AT_ONCE = 24;

    /** What a check that fails tries to read as a number. */
    private static final String FAILED_CHECK = "waybill-check-";

    private static final Pattern FAILED_CHECKS = Pattern.compile(FAILED_CHECK + "(\\d+)");

    private final Dialect dialect;
    private final ThreadLocal<@Nullable Trip> open = new ThreadLocal<>();

    RoundTrips(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Work that writes. */
    @FunctionalInterface
    interface Work {
        void run() throws SQLException;
    }

    /** Sets the parameters from this one on, and returns the next. */
    @FunctionalInterface
    interface Binder {
        int bind(PreparedStatement statement, int from) throws SQLException;
    }

    /** Puts off whatever {@link #write} gets until the work has ended or somebody reads. */
    void together(Connection connection, Work work) throws SQLException {
        together(connection, false, work);
    }

    /** The same for the last writes of a transaction: where it can be, the commit goes with them. */
    void committing(Connection connection, Work work) throws SQLException {
        together(connection, true, work);
    }

    private void together(Connection connection, boolean committing, Work work) throws SQLException {
        if (isOpen()) {
            work.run();
            return;
        }
        var trip = new Trip(connection);
        open.set(trip);
        try {
            work.run();
        } finally {
            open.remove();
        }
        trip.send(committing);
    }

    boolean isOpen() {
        return open.get() != null;
    }

    /** Writes any number of rows. */
    void write(Connection connection, String sql, Binder binder) throws SQLException {
        write(connection, new Write(sql, binder, null));
    }

    /** Writes one row; when there is none to be written, that is an error. */
    void writeOne(Connection connection, String sql, Binder binder, Supplier<RuntimeException> otherwise)
            throws SQLException {
        write(connection, new Write(sql, binder, otherwise));
    }

    private void write(Connection connection, Write write) throws SQLException {
        @Nullable Trip trip = open.get();
        if (trip == null) {
            write.run(connection);
        } else {
            trip.writes.add(write);
        }
    }

    /** Before something is read: writes what was put off. */
    void flush() throws SQLException {
        @Nullable Trip trip = open.get();
        if (trip != null) {
            trip.send(false);
        }
    }

    private record Write(
            String sql, Binder binder, @Nullable Supplier<RuntimeException> otherwise) {

        void run(Connection connection) throws SQLException {
            check(Jdbc.update(connection, sql, statement -> binder.bind(statement, 1)));
        }

        /** Whether they may go as a batch, of which not every database says how many rows each has written. */
        boolean isLike(Write other) {
            return sql.equals(other.sql) && otherwise == null && other.otherwise == null;
        }

        /** The statement, which fails with this text when it does not write one row as it should. */
        String checkedAs(String name) {
            return otherwise == null
                    ? sql
                    : "WITH written AS (" + sql + " RETURNING 1) SELECT CAST(CASE count(*) WHEN 1 THEN '1' ELSE '"
                            + name + "' END AS INT) FROM written";
        }

        void check(int rows) {
            if (otherwise != null && rows != 1) {
                throw otherwise.get();
            }
        }
    }

    private final class Trip {

        final List<Write> writes = new ArrayList<>();
        private final Connection connection;

        Trip(Connection connection) {
            this.connection = connection;
        }

        void send(boolean committing) throws SQLException {
            List<Write> all = List.copyOf(writes);
            writes.clear();
            if (all.isEmpty()
                    || dialect != Dialect.POSTGRESQL
                    || !connection.isWrapperFor(PGConnection.class)
                    || (all.size() == 1 && !committing)) {
                sendOneByOne(all);
            } else if (all.size() > MOST_AT_ONCE) {
                sendInBatches(all);
            } else {
                sendAtOnce(all, committing);
            }
        }

        /** The same statement for several rows in turn is a batch. */
        private void sendOneByOne(List<Write> all) throws SQLException {
            int from = 0;
            while (from < all.size()) {
                int to = from + 1;
                while (to < all.size() && all.get(to).isLike(all.get(from))) {
                    to++;
                }
                if (to - from == 1) {
                    all.get(from).run(connection);
                } else {
                    Jdbc.batch(
                            connection,
                            all.get(from).sql(),
                            all.subList(from, to),
                            (statement, write) -> write.binder().bind(statement, 1));
                }
                from = to;
            }
        }

        /**
         * PostgreSQL's driver takes statements with semicolons between them, prepares each, and waits once. What must write one row is
         * an error in the database when it does not, so that nothing behind it is done; the commit least of all.
         */
        private void sendAtOnce(List<Write> all, boolean committing) throws SQLException {
            var text = new StringBuilder();
            for (int i = 0; i < all.size(); i++) {
                text.append(all.get(i).checkedAs(FAILED_CHECK + i)).append(";\n");
            }
            text.append(committing ? "COMMIT" : "");
            try (PreparedStatement statement = connection.prepareStatement(text.toString())) {
                int next = 1;
                for (Write write : all) {
                    next = write.binder().bind(statement, next);
                }
                statement.execute();
            } catch (SQLException e) {
                Matcher check = FAILED_CHECKS.matcher(String.valueOf(e.getMessage()));
                if (check.find()) {
                    all.get(Integer.parseInt(check.group(1))).check(0);
                }
                throw e;
            }
        }

        /**
         * The same statements of many messages. What comes first for one message comes first for all.
         */
        private void sendInBatches(List<Write> all) throws SQLException {
            Map<String, List<Write>> bySql = new LinkedHashMap<>();
            all.forEach(write -> bySql.computeIfAbsent(write.sql(), none -> new ArrayList<>())
                    .add(write));
            for (List<Write> same : bySql.values()) {
                int[] rows = Jdbc.batch(
                        connection,
                        same.get(0).sql(),
                        same,
                        (statement, write) -> write.binder().bind(statement, 1));
                for (int i = 0; i < rows.length; i++) {
                    same.get(i).check(rows[i]);
                }
            }
        }
    }
}
