package io.waybill.testkit.services;

import io.waybill.testkit.services.database.ServiceSql;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.testkit.services.host.OptionalLibraries;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;

/** H2 in memory: nothing to start, nothing left behind. */
public final class H2 {

    private static final String USER = "sa";
    private static final String PASSWORD = "";

    private H2() {}

    /** A database that lives until it is closed, also while nobody is connected. */
    public static TestDatabase newDatabase() {
        OptionalLibraries.require("H2", "org.h2.jdbcx.JdbcDataSource", "com.h2database:h2");
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        var dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser(USER);
        dataSource.setPassword(PASSWORD);
        return new TestDatabase(
                url, USER, PASSWORD, dataSource, () -> ServiceSql.execute(dataSource, "SHUTDOWN IMMEDIATELY"));
    }
}
