package com.acme.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

final class AccountTest {

    private static final UUID PAYMENT = UUID.randomUUID();

    @Test
    void a_debit_lowers_the_balance() {
        Account account = account(false, "100.00");

        Transaction debit = account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("30.50"), "Rent");

        assertThat(debit.balanceAfter()).isEqualTo(euro("69.50"));
        assertThat(account.availableBalance()).isEqualTo(euro("69.50"));
    }

    @Test
    void the_same_booking_is_debited_once() {
        Account account = account(false, "100.00");

        Transaction first = account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("30.00"), "Rent");
        Transaction second = account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("30.00"), "Rent");

        assertThat(second).isEqualTo(first);
        assertThat(account.availableBalance()).isEqualTo(euro("70.00"));
    }

    @Test
    void an_account_without_limits_cannot_be_overdrawn() {
        Account account = account(false, "10.00");

        assertThatThrownBy(() -> account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("10.01"), "Rent"))
                .isInstanceOf(InsufficientFundsException.class)
                .hasMessageContaining("has 10.00 EUR, and 10.01 EUR are wanted");
        assertThat(account.availableBalance()).isEqualTo(euro("10.00"));
    }

    @Test
    void an_account_with_limits_may_be_overdrawn() {
        Account account = account(true, "10.00");

        account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("25.00"), "Rent");

        assertThat(account.availableBalance()).isEqualTo(euro("-15.00"));
    }

    @Test
    void a_reversal_is_a_second_entry_and_is_made_once() {
        Account account = account(false, "100.00");
        account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("30.00"), "Rent");

        account.reverse(PAYMENT);
        account.reverse(PAYMENT);

        assertThat(account.transactions())
                .extracting(Transaction::transactionType)
                .containsExactly(TransactionType.CREDIT, TransactionType.DEBIT, TransactionType.REVERSAL);
        assertThat(account.availableBalance()).isEqualTo(euro("100.00"));
    }

    @Test
    void what_was_never_debited_is_not_given_back() {
        Account account = account(false, "100.00");

        assertThat(account.reverse(PAYMENT)).isEmpty();
        assertThat(account.availableBalance()).isEqualTo(euro("100.00"));
    }

    @Test
    void another_currency_is_refused() {
        Account account = account(false, "100.00");

        assertThatThrownBy(() ->
                        account.createTransaction(TransactionType.DEBIT, PAYMENT, Money.of("1.00", "USD"), "Rent"))
                .hasMessageContaining("Currency mismatch");
    }

    @Test
    void an_account_that_is_not_active_pays_nothing() {
        Account account = opening(true);

        assertThatThrownBy(() -> account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("1.00"), "Rent"))
                .isInstanceOf(AccountNotActiveException.class);
    }

    @Test
    void a_credit_is_recalled_once() {
        Account account = account(false, "100.00");
        account.createTransaction(TransactionType.CREDIT, PAYMENT, euro("30.00"), "Salary");

        account.recall(PAYMENT);
        account.recall(PAYMENT);

        assertThat(account.availableBalance()).isEqualTo(euro("100.00"));
    }

    @Test
    void what_is_spent_cannot_be_recalled() {
        Account account = account(false, "0.01");
        account.createTransaction(TransactionType.CREDIT, PAYMENT, euro("30.00"), "Salary");
        account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), euro("30.00"), "Rent");

        assertThatThrownBy(() -> account.recall(PAYMENT)).isInstanceOf(InsufficientFundsException.class);
    }

    @Test
    void a_closed_account_has_a_void_entry_and_nothing_more_is_booked_on_it() {
        Account account = account(false, "100.00");

        account.close();
        account.close();

        assertThat(account.availableBalance()).isEqualTo(euro("0.00"));
        assertThat(account.transactions())
                .extracting(Transaction::transactionType)
                .containsExactly(TransactionType.CREDIT, TransactionType.VOID);
        assertThat(account.status()).isEqualTo(Account.Status.CLOSED);
        assertThatThrownBy(() -> account.createTransaction(TransactionType.CREDIT, PAYMENT, euro("1.00"), "Late"))
                .isInstanceOf(AccountNotActiveException.class);
        assertThatThrownBy(account::activate).isInstanceOf(AccountNotActiveException.class);
    }

    @Test
    void an_entry_needs_an_amount() {
        Account account = account(false, "100.00");

        assertThatThrownBy(() -> account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("0.00"), "Rent"))
                .hasMessageContaining("more than zero");
    }

    private static Account opening(boolean limitBased) {
        return Account.open(
                UUID.randomUUID(), UUID.randomUUID(), "A-1", "EUR", AccountType.CHECKING, "001", limitBased);
    }

    private static Account account(boolean limitBased, String balance) {
        Account account = opening(limitBased);
        account.activate();
        account.createTransaction(TransactionType.CREDIT, UUID.randomUUID(), euro(balance), "Opening balance");
        return account;
    }

    private static Money euro(String amount) {
        return Money.of(amount, "EUR");
    }
}
