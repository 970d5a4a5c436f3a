package io.waybill.server;

import io.waybill.server.relay.RelayServiceContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.util.UUID;

/** Users of a test's database, in the words of PostgreSQL and MariaDB. */
public record DatabaseUsers(TestDatabase database) {

    /** A name that no other test uses: users belong to the server. */
    public static String newName(String kind) {
        return kind + "_" + UUID.randomUUID().toString().substring(0, 8);
    }

    /** Who may look at everything, and change nothing. */
    public String newReader() throws SQLException {
        String reader = newName("reader");
        create(reader, "");
        execute(
                isMariaDb()
                        ? "GRANT SELECT ON * TO " + account(reader)
                        : "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + reader);
        return reader;
    }

    public void create(String user, String password) throws SQLException {
        execute(
                isMariaDb()
                        ? "CREATE USER " + account(user) + " IDENTIFIED BY '" + password + "'"
                        : "CREATE ROLE " + user + " LOGIN PASSWORD '" + password + "'");
    }

    public void setPassword(String user, String password) throws SQLException {
        execute(
                isMariaDb()
                        ? "ALTER USER " + account(user) + " IDENTIFIED BY '" + password + "'"
                        : "ALTER ROLE " + user + " PASSWORD '" + password + "'");
    }

    /** Ends the connections of the user. */
    public void cut(String user) throws SQLException {
        execute(
                isMariaDb()
                        ? "KILL USER " + account(user)
                        : "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + user + "'");
    }

    public void letDoEverything(String user) throws SQLException {
        execute(isMariaDb() ? "GRANT ALL ON * TO " + account(user) : "ALTER ROLE " + user + " SUPERUSER");
    }

    void drop(String user) throws SQLException {
        if (!isMariaDb()) {
            execute("DROP OWNED BY " + user);
        }
        execute(isMariaDb() ? "DROP USER " + account(user) : "DROP ROLE " + user);
    }

    /** The address of the database for this user. */
    public String url(String user) {
        return RelayServiceContract.url(database).replaceFirst("//[^@]*@", "//" + user + "@");
    }

    public boolean isMariaDb() {
        return database.jdbcUrl().startsWith("jdbc:mariadb:");
    }

    /** The user as a GRANT names it. */
    public String account(String user) {
        return isMariaDb() ? "'" + user + "'@'localhost'" : user;
    }

    private void execute(String sql) throws SQLException {
        database.execute(sql);
    }
}
