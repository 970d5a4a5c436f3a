package io.waybill.jdbc.internal.outbox;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages are sent in the order of their ids. Databases with several primaries hand ids out node by node, so that a later message may get a
 * smaller one: they look like PostgreSQL or MySQL, and break the order without a word.
 */
public final class InsertionOrder {

    private static final Logger log = LoggerFactory.getLogger(InsertionOrder.class);

    private InsertionOrder() {}

    /**
     * Refuses a database whose ids do not follow the order of insertion.
     *
     * @throws WaybillException when ids do not rise in the order of insertion, unless that is accepted
     */
    public static void require(Connection connection, Dialect dialect, boolean accepted) throws SQLException {
        Optional<String> problem = dialect.isMySql()
                ? ofIncrement(ask(connection, "SELECT @@auto_increment_increment"))
                : dialect == Dialect.POSTGRESQL ? ofVersion(ask(connection, "SELECT version()")) : Optional.empty();
        if (problem.isEmpty()) {
            return;
        }
        if (!accepted) {
            throw new WaybillException(problem.get()
                    + " Messages of one key could overtake each other. Use a database with one primary, or accept messages"
                    + " without order: acceptUnorderedIds() of the builder, accept-unordered-ids of a relay's source.");
        }
        log.warn("WB-119 {} Messages of one key may overtake each other, as you accepted.", problem.get());
    }

    static Optional<String> ofIncrement(String increment) {
        return increment.equals("1")
                ? Optional.empty()
                : Optional.of("This database counts ids in steps of " + increment
                        + " (auto_increment_increment), as clusters with several primaries do, such as Galera.");
    }

    static Optional<String> ofVersion(String version) {
        String product = version.contains("CockroachDB") ? "CockroachDB" : version.contains("-YB-") ? "YugabyteDB" : "";
        return product.isEmpty()
                ? Optional.empty()
                : Optional.of("This is " + product + ", whose nodes hand out ids from blocks of their own.");
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        return Jdbc.query(connection, sql, statement -> {}, row -> row.getString(1))
                .get(0);
    }
}
