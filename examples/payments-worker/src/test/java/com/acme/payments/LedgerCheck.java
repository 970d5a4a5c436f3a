package com.acme.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** Looks over the whole ledger: each statement finds what must not be. */
final class LedgerCheck {

    private static final Map<String, String> MUST_FIND_NOTHING = new LinkedHashMap<>();

    static {
        MUST_FIND_NOTHING.put("accounts whose balance is not the sum of their entries", """
                SELECT a.account_number, a.available_balance
                  FROM account a
                 WHERE a.available_balance <> (SELECT COALESCE(SUM(CASE WHEN t.transaction_type IN ('DEBIT', 'RECALL', 'VOID') THEN -t.amount ELSE t.amount END), 0)
                                                 FROM transaction t
                                                WHERE t.account_id = a.account_id)
                """);
        MUST_FIND_NOTHING.put("debits that have neither a payment nor a reversal of the same amount, or both", """
                SELECT d.booking_id, d.amount
                  FROM transaction d
                 WHERE d.transaction_type = 'DEBIT'
                   AND 1 <> (SELECT COUNT(*) FROM payment p
                              WHERE p.transaction_id = d.transaction_id AND p.debit_amount = d.amount
                                AND p.debit_account_id = d.account_id AND p.status <> 'CANCELLED')
                          + (SELECT COUNT(*) FROM transaction r
                              WHERE r.booking_id = d.booking_id AND r.transaction_type = 'REVERSAL'
                                AND r.amount = d.amount AND r.account_id = d.account_id)
                """);
        MUST_FIND_NOTHING.put("reversals of nothing", """
                SELECT r.booking_id, r.amount
                  FROM transaction r
                 WHERE r.transaction_type = 'REVERSAL'
                   AND NOT EXISTS (SELECT 1 FROM transaction d
                                    WHERE d.booking_id = r.booking_id AND d.transaction_type = 'DEBIT')
                """);
        MUST_FIND_NOTHING.put("limits that are not used by exactly what is booked", """
                SELECT l.account_id, l.utilized
                  FROM account_limit l
                 WHERE l.utilized <> (SELECT COALESCE(SUM(b.amount), 0) FROM limit_booking b
                                       WHERE b.limit_id = l.limit_id AND b.period_start = l.period_start AND NOT b.reversed)
                """);
        MUST_FIND_NOTHING.put("bookings of limits that stand without a payment, or are reversed with one", """
                SELECT b.booking_id, b.amount
                  FROM limit_booking b
                 WHERE b.reversed = (EXISTS (SELECT 1 FROM payment p WHERE p.payment_id = b.booking_id AND p.status <> 'CANCELLED'))
                """);
        MUST_FIND_NOTHING.put("contracts that stand without a payment, or are unwound with one", """
                SELECT f.booking_id, f.sold_amount
                  FROM fx_contract f
                 WHERE f.unwound = (EXISTS (SELECT 1 FROM payment p WHERE p.payment_id = f.booking_id AND p.status <> 'CANCELLED'))
                """);
        MUST_FIND_NOTHING.put("currencies in which what was paid in is not what is there and what was paid out", """
                SELECT i.currency_code, i.paid_in
                  FROM (SELECT currency_code, SUM(amount) AS paid_in FROM transaction
                         WHERE transaction_type = 'CREDIT' GROUP BY currency_code) i
                 WHERE i.paid_in <> (SELECT COALESCE(SUM(available_balance), 0) FROM account a WHERE a.currency_code = i.currency_code)
                                  + (SELECT COALESCE(SUM(debit_amount), 0) FROM payment p
                                      WHERE p.debit_currency = i.currency_code AND p.status <> 'CANCELLED')
                                  + (SELECT COALESCE(SUM(amount), 0) FROM transaction t
                                      WHERE t.currency_code = i.currency_code AND t.transaction_type IN ('VOID', 'RECALL'))
                """);
        MUST_FIND_NOTHING.put(
                "completed payments to accounts of this bank that have not credited them exactly once", """
                SELECT p.payment_id, p.credit_amount
                  FROM payment p
                 WHERE p.status = 'COMPLETED' AND p.beneficiary_account_id IS NOT NULL
                   AND 1 <> (SELECT COUNT(*) FROM transaction c
                              WHERE c.booking_id = p.payment_id AND c.transaction_type = 'CREDIT'
                                AND c.account_id = p.beneficiary_account_id AND c.amount = p.credit_amount
                                AND c.currency_code = p.credit_currency)
                """);
        MUST_FIND_NOTHING.put("accounts whose entries are not numbered without a gap", """
                SELECT a.account_number, COUNT(*)
                  FROM account a JOIN transaction t ON t.account_id = a.account_id
                 GROUP BY a.account_number
                HAVING COUNT(*) <> MAX(t.entry_number) + 1
                """);
    }

    private static final String ENTRIES = """
            SELECT transaction_id, CONCAT(account_id, ' ', booking_id, ' ', transaction_type, ' ', amount, ' ', balance_after)
              FROM transaction
            """;

    /** What the tests have paid in: not booked by transactions of payments, and not voided. */
    private static final String PAID_IN = """
            SELECT 'paid in', COALESCE(SUM(CASE t.transaction_type WHEN 'VOID' THEN -t.amount ELSE t.amount END), 0)
              FROM transaction t
             WHERE t.transaction_type = 'VOID'
                OR t.transaction_type = 'CREDIT' AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.payment_id = t.booking_id)
            """;

    private final DataSource dataSource;
    private final Set<String> seen = new HashSet<>();
    private BigDecimal paidIn = new BigDecimal("0.00");

    LedgerCheck(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Counts what a test pays in, by itself: what is deleted from the ledger with all its traces is missed all the same. */
    synchronized void paidIn(String amount) {
        paidIn = paidIn.add(new BigDecimal(amount));
    }

    /** The ledger balances, and every entry that was there the last time is there unchanged. */
    synchronized void balances() {
        MUST_FIND_NOTHING.forEach((what, sql) -> assertThat(rows(sql)).as(what).isEmpty());
        List<String> entries = rows(ENTRIES);
        assertThat(entries).as("entries that were there before").containsAll(seen);
        seen.addAll(entries);
        assertThat(rows(PAID_IN)).as("what was paid in").containsExactly("paid in " + paidIn);
    }

    List<String> rows(String sql) {
        try (var connection = dataSource.getConnection();
                var rows = connection.createStatement().executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1) + " " + rows.getString(2));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage() + " in: " + sql, e);
        }
    }
}
