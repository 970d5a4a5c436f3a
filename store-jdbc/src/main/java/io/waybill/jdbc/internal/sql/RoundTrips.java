package io.waybill.jdbc.internal.sql;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Writes that go to the database together. What follows from a message is half a dozen statements in several tables, and their way to
 * the server and back costs more than the statements: PostgreSQL's driver sends them at once.
 *
 * <p><i>Threads:</i> safe; writes are put off for the thread that opened {@link #together}.
 */
public final class RoundTrips {

    /** More are sent as a batch for each statement, so that there are not too many different texts to remember. */
    private static final int MAX_WRITES_AT_ONCE = 24;

    /** Rows of one INSERT. Others are written in powers of two, so that there are few different texts. */
    private static final int MAX_ROWS = 32;

    /** For tests: whether writes are put off at all. */
    public static volatile boolean enabled = true;

    private final Dialect dialect;
    private final ThreadLocal<@Nullable Trip> open = new ThreadLocal<>();
    private final TripTexts texts = new TripTexts();

    public RoundTrips(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Work that writes. */
    @FunctionalInterface
    public interface Work {
        void run() throws SQLException;
    }

    /** Puts off whatever {@link #write} gets until the work has ended or somebody reads. */
    public void together(Connection connection, Work work) throws SQLException {
        together(connection, false, work);
    }

    /** The same for the last writes of a transaction: where it can be, the commit goes with them. */
    public void committing(Connection connection, Work work) throws SQLException {
        together(connection, true, work);
    }

    private void together(Connection connection, boolean committing, Work work) throws SQLException {
        if (isOpen() || !enabled) {
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

    public boolean isOpen() {
        return open.get() != null;
    }

    /** Writes a row, perhaps together with others. A new one must not depend on what was put off before. */
    public void write(Connection connection, RowStatement row, Write.Binder binder) throws SQLException {
        write(connection, new Write(row.one(), binder, row, null));
    }

    public void write(Connection connection, RowStatement row, Values values) throws SQLException {
        write(connection, new Write(row.one(), binder(values), row, null));
    }

    private Write.Binder binder(Values values) {
        return (statement, from) -> values.bind(dialect, statement, from);
    }

    /** Writes one row; when there is none to be written, that is an error. */
    public void writeOne(Connection connection, RowStatement row, Values values, Supplier<RuntimeException> otherwise)
            throws SQLException {
        write(connection, new Write(row.one(), binder(values), row, otherwise));
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
    public void flush() throws SQLException {
        @Nullable Trip trip = open.get();
        if (trip != null) {
            trip.send(false);
        }
    }

    private final class Trip {

        final List<Write> writes = new ArrayList<>();
        private final Connection connection;

        Trip(Connection connection) {
            this.connection = connection;
        }

        void send(boolean committing) throws SQLException {
            boolean many = writes.size() > MAX_WRITES_AT_ONCE;
            List<Write> all = many ? List.copyOf(writes) : insertsTogether(writes);
            writes.clear();
            if (all.isEmpty()
                    || dialect != Dialect.POSTGRESQL
                    || !connection.isWrapperFor(PGConnection.class)
                    || (all.size() == 1 && !committing)) {
                sendOneByOne(all);
            } else if (many) {
                sendInBatches(all);
            } else {
                sendAtOnce(all, committing);
            }
        }

        /** New rows of one table are one statement, where the first of them is. */
        private static List<Write> insertsTogether(List<Write> all) {
            Map<Object, List<Write>> together = new LinkedHashMap<>();
            for (Write write : all) {
                Object table = write.rows().inserts() ? write.rows() : new Object();
                together.computeIfAbsent(table, none -> new ArrayList<>()).add(write);
            }
            return together.values().stream().map(Write::together).toList();
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
            try (PreparedStatement statement = connection.prepareStatement(texts.of(all, committing))) {
                int next = 1;
                for (Write write : all) {
                    next = write.binder().bind(statement, next);
                }
                statement.execute();
            } catch (SQLException e) {
                TripTexts.failedCheck(e).ifPresent(check -> all.get(check).check(0));
                throw e;
            }
        }

        /** The same statements of many messages. What comes first for one message comes first for all. */
        private void sendInBatches(List<Write> all) throws SQLException {
            Map<String, List<Write>> bySql = new LinkedHashMap<>();
            all.forEach(write -> bySql.computeIfAbsent(write.sql(), none -> new ArrayList<>())
                    .add(write));
            for (List<Write> same : bySql.values()) {
                sendTogether(same);
            }
        }

        /** New rows in as few statements as possible, in their order; changed ones one by one, each by its key. */
        private void sendTogether(List<Write> same) throws SQLException {
            if (!same.get(0).rows().inserts()) {
                sendBatch(same);
                return;
            }
            int from = 0;
            for (int size = MAX_ROWS; size > 0; size /= 2) {
                List<Write> chunks = new ArrayList<>();
                for (; same.size() - from >= size; from += size) {
                    chunks.add(Write.together(same.subList(from, from + size)));
                }
                sendBatch(chunks);
            }
        }

        private void sendBatch(List<Write> same) throws SQLException {
            if (!same.isEmpty()) {
                int[] written = Jdbc.batch(
                        connection,
                        same.get(0).sql(),
                        same,
                        (statement, write) -> write.binder().bind(statement, 1));
                for (int i = 0; i < written.length; i++) {
                    same.get(i).check(written[i]);
                }
            }
        }
    }
}
