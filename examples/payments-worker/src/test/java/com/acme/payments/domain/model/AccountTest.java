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
                .extracting(Transaction::type)
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
        Account account = Account.open(UUID.randomUUID(), UUID.randomUUID(), "A-1", "EUR", true);

        assertThatThrownBy(() -> account.createTransaction(TransactionType.DEBIT, PAYMENT, euro("1.00"), "Rent"))
                .isInstanceOf(AccountNotActiveException.class);
    }

    private static Account account(boolean limitBased, String balance) {
        Account account = Account.open(UUID.randomUUID(), UUID.randomUUID(), "A-1", "EUR", limitBased);
        account.activate();
        account.createTransaction(TransactionType.CREDIT, UUID.randomUUID(), euro(balance), "Opening balance");
        return account;
    }

    private static Money euro(String amount) {
        return Money.of(amount, "EUR");
    }
}
