package io.waybill.console;

import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database called shop, and an operator who asks the console of it. */
public abstract class ConsoleScenario {

    protected static final String DB = "/api/databases/shop";
    protected static final Duration PATIENCE = Duration.ofSeconds(30);

    protected TestDatabase database;
    protected JdbcStore store;
    protected Browser browser;

    @SuppressWarnings("NullAway.Init")
    protected ConsoleScenario() {}

    protected abstract TestDatabase open();

    /** What the console works on. */
    protected DataSource dataSource() {
        return database.dataSource();
    }

    @BeforeEach
    void start() {
        database = open();
        store = JdbcStore.on(dataSource()).initializeSchema();
        browser = browser("ann");
    }

    /** Of another console of the same database. */
    protected Browser browser(String name) {
        var console = new Console(ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", store))));
        return new Browser(console, new Identity(name, Role.OPERATOR));
    }

    @AfterEach
    void drop() {
        database.close();
    }
}
