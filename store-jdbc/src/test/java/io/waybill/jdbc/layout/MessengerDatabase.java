package io.waybill.jdbc.layout;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

/** What differs between the databases of PHP applications. */
enum MessengerDatabase {
    POSTGRES {
        @Override
        TestDatabase newDatabase() {
            return Postgres.shared().newDatabase();
        }

        @Override
        String utc(int seconds) {
            return "(date_trunc('second', now() AT TIME ZONE 'UTC') + interval '" + seconds + " seconds')";
        }

        @Override
        String php(String json) {
            return json;
        }
    },
    MARIADB {
        @Override
        TestDatabase newDatabase() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        String utc(int seconds) {
            return "(UTC_TIMESTAMP() + INTERVAL " + seconds + " SECOND)";
        }

        @Override
        String php(String json) {
            return json.replace("\\", "\\\\");
        }
    };

    abstract TestDatabase newDatabase();

    /** The time in UTC, as PHP writes it, so many seconds from now. */
    abstract String utc(int seconds);

    /** As a string literal that keeps its backslashes. */
    abstract String php(String json);
}
