package com.acme.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Looks over the whole ledger: each statement finds what must not be. */
final class LedgerCheck {

    private static final Map<String, String> MUST_FIND_NOTHING = new LinkedHashMap<>();

    static {
        MUST_FIND_NOTHING.put("accounts whose balance is not the sum of their entries", """
                SELECT a.account_number, a.available_balance
                  FROM account a
                 WHERE a.available_balance <> (SELECT COALESCE(SUM(CASE t.transaction_type WHEN 'DEBIT' THEN -t.amount ELSE t.amount END), 0)
                                                 FROM account_transaction t
                                                WHERE t.account_id = a.account_id)
                """);
        MUST_FIND_NOTHING.put("debits that have neither a payment nor a reversal of the same amount, or both", """
                SELECT d.booking_id, d.amount
                  FROM account_transaction d
                 WHERE d.transaction_type = 'DEBIT'
                   AND 1 <> (SELECT COUNT(*) FROM payment p
                              WHERE p.transaction_id = d.transaction_id AND p.amount = d.amount AND p.account_id = d.account_id)
                          + (SELECT COUNT(*) FROM account_transaction r
                              WHERE r.booking_id = d.booking_id AND r.transaction_type = 'REVERSAL'
                                AND r.amount = d.amount AND r.account_id = d.account_id)
                """);
        MUST_FIND_NOTHING.put("reversals of nothing", """
                SELECT r.booking_id, r.amount
                  FROM account_transaction r
                 WHERE r.transaction_type = 'REVERSAL'
                   AND NOT EXISTS (SELECT 1 FROM account_transaction d
                                    WHERE d.booking_id = r.booking_id AND d.transaction_type = 'DEBIT')
                """);
        MUST_FIND_NOTHING.put("limits that are not used by exactly what is booked", """
                SELECT l.account_id, l.utilized
                  FROM account_limit l
                 WHERE l.utilized <> (SELECT COALESCE(SUM(b.amount), 0) FROM limit_booking b
                                       WHERE b.account_id = l.account_id AND NOT b.reversed)
                """);
        MUST_FIND_NOTHING.put("bookings of limits that stand without a payment, or are reversed with one", """
                SELECT b.booking_id, b.amount
                  FROM limit_booking b
                 WHERE b.reversed = (EXISTS (SELECT 1 FROM payment p WHERE p.payment_id = b.booking_id))
                """);
        MUST_FIND_NOTHING.put("contracts that stand without a payment, or are unwound with one", """
                SELECT f.booking_id, f.sold_amount
                  FROM fx_contract f
                 WHERE f.unwound = (EXISTS (SELECT 1 FROM payment p WHERE p.payment_id = f.booking_id))
                """);
        MUST_FIND_NOTHING.put("currencies in which what was paid in is not what is there and what was paid out", """
                SELECT i.currency_code, i.paid_in
                  FROM (SELECT currency_code, SUM(amount) AS paid_in FROM account_transaction
                         WHERE transaction_type = 'CREDIT' GROUP BY currency_code) i
                 WHERE i.paid_in <> (SELECT COALESCE(SUM(available_balance), 0) FROM account a WHERE a.currency_code = i.currency_code)
                                  + (SELECT COALESCE(SUM(amount), 0) FROM payment p WHERE p.currency_code = i.currency_code)
                """);
    }

    private final DataSource dataSource;

    LedgerCheck(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void balances() {
        MUST_FIND_NOTHING.forEach((what, sql) -> assertThat(rows(sql)).as(what).isEmpty());
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
