package com.acme.payments;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check of the ledger sees what must never happen, here done on purpose. */
final class LedgerCheckTest {

    private final TestDatabase database = H2.newDatabase();
    private final LedgerCheck ledger = new LedgerCheck(database.dataSource());

    @BeforeEach
    void start() throws SQLException {
        try (var context = ApplicationContext.run(Map.of(
                "datasources.default.url", database.jdbcUrl(),
                "datasources.default.username", database.user(),
                "payments.api-token", "a token of the tests"))) {
            execute("""
                    INSERT INTO account (account_id, customer_id, account_number, currency_code, account_type, transit_number, limit_based,
                                         status, available_balance)
                    VALUES (RANDOM_UUID(), RANDOM_UUID(), 'A-1', 'EUR', 'CHECKING', '001', FALSE, 'ACTIVE', 7.00)
                    """);
            execute("""
                    INSERT INTO transaction (transaction_id, account_id, booking_id, transaction_type, amount, currency_code,
                                             description, balance_after, entry_number)
                    SELECT RANDOM_UUID(), account_id, RANDOM_UUID(), 'CREDIT', 7.00, 'EUR', 'Opening', 7.00, 0 FROM account
                    """);
        }
        ledger.paidIn("7.00");
    }

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void an_account_that_is_deleted_with_all_its_entries_is_missed() throws SQLException {
        execute("DELETE FROM transaction");
        execute("DELETE FROM account");

        assertThatThrownBy(ledger::balances).hasMessageContaining("what was paid in");
    }

    @Test
    void an_entry_that_was_seen_and_is_changed_is_missed() throws SQLException {
        ledger.balances();
        execute("UPDATE transaction SET booking_id = RANDOM_UUID()");

        assertThatThrownBy(ledger::balances).hasMessageContaining("entries that were there before");
    }

    private void execute(String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
