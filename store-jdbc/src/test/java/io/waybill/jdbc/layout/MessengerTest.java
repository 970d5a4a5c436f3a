package io.waybill.jdbc.layout;

import org.junit.jupiter.api.Nested;

class MessengerTest {

    @Nested
    class OnPostgres extends MessengerContract {
        @Override
        MessengerDatabase on() {
            return MessengerDatabase.POSTGRES;
        }
    }

    @Nested
    class OrderOnPostgres extends MessengerOrderContract {
        @Override
        MessengerDatabase on() {
            return MessengerDatabase.POSTGRES;
        }
    }

    @Nested
    class OnMariaDb extends MessengerContract {
        @Override
        MessengerDatabase on() {
            return MessengerDatabase.MARIADB;
        }
    }

    @Nested
    class OrderOnMariaDb extends MessengerOrderContract {
        @Override
        MessengerDatabase on() {
            return MessengerDatabase.MARIADB;
        }
    }
}
