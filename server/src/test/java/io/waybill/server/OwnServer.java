package io.waybill.server;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.function.Supplier;

/** A database server that no other test uses, so that it may be crashed. */
public record OwnServer(Supplier<TestDatabase> databases, Runnable crash, Runnable restart, Runnable end)
        implements AutoCloseable {

    public static OwnServer postgres() {
        Postgres server = Postgres.start();
        return new OwnServer(server::newDatabase, server::crash, server::restart, server::close);
    }

    public static OwnServer mariaDb() {
        MariaDb server = MariaDb.start();
        return new OwnServer(server::newDatabase, server::crash, server::restart, server::close);
    }

    @Override
    public void close() {
        end.run();
    }
}
