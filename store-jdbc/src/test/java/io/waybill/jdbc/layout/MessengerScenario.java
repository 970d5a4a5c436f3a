package io.waybill.jdbc.layout;

import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;

/** A table of Symfony Messenger, from which PHP workers take rows too. */
abstract class MessengerScenario extends LayoutScenario {

    static final int KEYS = 29;
    static final Layout ORDERED = Layouts.messengerOrdered("messenger_outbox", "outbox", Duration.ofMinutes(10));
    static final Layout PLAIN = Layouts.messenger("messenger_outbox", "outbox", Duration.ofMinutes(10));

    abstract MessengerDatabase on();

    @Override
    public TestDatabase newDatabase() {
        return on().newDatabase();
    }

    /** The time in UTC, as PHP writes it, so many seconds from now. */
    String utc(int seconds) {
        return on().utc(seconds);
    }

    void insertKeyed(Object... numbersAndKeys) {
        for (int i = 0; i < numbersAndKeys.length; i += 2) {
            execute("INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, partition_key)"
                    + " VALUES ('" + numbersAndKeys[i] + "', '[]', 'outbox', " + utc(-1) + ", " + utc(-1) + ", '"
                    + numbersAndKeys[i + 1] + "')");
        }
    }

    void insertMany(int count) {
        var values = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            values.add("('" + i + "', '[]', 'outbox', " + utc(-1) + ", " + utc(-1) + ", 'k" + i % KEYS + "')");
        }
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, partition_key) VALUES "
                        + String.join(", ", values));
    }
}
