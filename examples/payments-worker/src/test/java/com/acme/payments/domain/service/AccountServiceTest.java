package com.acme.payments.domain.service;

import static com.acme.payments.domain.service.Memory.account;
import static com.acme.payments.domain.service.Memory.euro;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.payments.application.command.CreateTransactionCommand;
import com.acme.payments.application.command.CreditBeneficiaryCommand;
import com.acme.payments.application.command.RecallCreditCommand;
import com.acme.payments.application.command.ReverseTransactionCommand;
import com.acme.payments.application.command.account.ActivateAccountCommand;
import com.acme.payments.application.command.account.CloseAccountCommand;
import com.acme.payments.application.command.account.CreateAccountCommand;
import com.acme.payments.application.command.account.DepositCommand;
import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountNotFoundException;
import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.InsufficientFundsException;
import com.acme.payments.domain.model.Money;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class AccountServiceTest {

    private static final UUID PAYMENT = UUID.randomUUID();

    private final Memory.Accounts accounts = new Memory.Accounts();
    private final AccountService service = new AccountService(accounts);

    @Test
    void an_account_is_created_once_and_used_when_it_is_active() {
        CreateAccountCommand command = newAccount("25.00");

        service.createAccount(command);
        service.createAccount(command);
        service.activateAccount(new ActivateAccountCommand(command.accountId()));

        Account account = accounts.findById(command.accountId()).orElseThrow();
        assertThat(account.active()).isTrue();
        assertThat(account.availableBalance()).isEqualTo(euro("25.00"));
        assertThat(account.transactions()).hasSize(1);
        assertThat(accounts.findByAccountNumber("A-2")).contains(account);
        assertThat(accounts.findByCustomerId(command.customerId())).containsExactly(account);
    }

    @Test
    void an_account_with_nothing_on_it_has_no_entry() {
        CreateAccountCommand command = newAccount("0.00");

        service.createAccount(command);

        assertThat(accounts.findById(command.accountId()).orElseThrow().transactions())
                .isEmpty();
    }

    @Test
    void an_account_that_was_not_opened_after_all_is_voided_not_deleted() {
        CreateAccountCommand command = newAccount("25.00");
        service.createAccount(command);

        service.closeAccount(new CloseAccountCommand(command.accountId()));
        service.closeAccount(new CloseAccountCommand(UUID.randomUUID()));

        Account account = accounts.findById(command.accountId()).orElseThrow();
        assertThat(account.status()).isEqualTo(Account.Status.CLOSED);
        assertThat(account.transactions()).hasSize(2);
    }

    @Test
    void a_deposit_is_booked_once() {
        Account account = accounts.with(account("10.00"));
        var command = new DepositCommand(UUID.randomUUID(), account.accountId(), euro("5.00"));

        assertThat(service.deposit(command)).isEqualTo(service.deposit(command));

        assertThat(account.availableBalance()).isEqualTo(euro("15.00"));
    }

    @Test
    void a_debit_answers_with_its_entry_and_is_reversed_once() {
        Account account = accounts.with(account("100.00"));

        var answer =
                service.createTransaction(new CreateTransactionCommand(PAYMENT, account.accountId(), euro("30.00")));
        service.reverseTransaction(new ReverseTransactionCommand(PAYMENT, account.accountId()));
        service.reverseTransaction(new ReverseTransactionCommand(PAYMENT, account.accountId()));

        assertThat(answer)
                .containsEntry("transactionId", account.transactions().get(1).transactionId());
        assertThat(account.availableBalance()).isEqualTo(euro("100.00"));
    }

    @Test
    void more_than_there_is_is_not_debited() {
        Account account = accounts.with(account("10.00"));

        assertThatThrownBy(() -> service.createTransaction(
                        new CreateTransactionCommand(PAYMENT, account.accountId(), euro("10.01"))))
                .isInstanceOf(InsufficientFundsException.class);
    }

    @Test
    void an_account_that_does_not_exist_is_named() {
        UUID unknown = UUID.randomUUID();

        assertThatThrownBy(
                        () -> service.createTransaction(new CreateTransactionCommand(PAYMENT, unknown, euro("1.00"))))
                .isInstanceOf(AccountNotFoundException.class)
                .hasMessageContaining(unknown.toString());
    }

    @Test
    void a_beneficiary_of_this_bank_is_credited_once_and_the_credit_recalled() {
        Account account = accounts.with(account("1.00"));
        var beneficiary = new Beneficiary("Bob", account.accountId());
        var credit = new CreditBeneficiaryCommand(PAYMENT, beneficiary, euro("30.00"));

        service.creditBeneficiary(credit);
        service.creditBeneficiary(credit);
        assertThat(account.availableBalance()).isEqualTo(euro("31.00"));

        service.recallCredit(new RecallCreditCommand(PAYMENT, beneficiary));
        assertThat(account.availableBalance()).isEqualTo(euro("1.00"));
    }

    @Test
    void a_beneficiary_elsewhere_is_credited_elsewhere() {
        service.creditBeneficiary(new CreditBeneficiaryCommand(PAYMENT, new Beneficiary("Bob", null), euro("30.00")));
        service.recallCredit(new RecallCreditCommand(PAYMENT, new Beneficiary("Bob", null)));
    }

    @Test
    void a_credit_in_another_currency_is_refused() {
        Account account = accounts.with(account("1.00"));

        assertThatThrownBy(() -> service.creditBeneficiary(new CreditBeneficiaryCommand(
                        PAYMENT, new Beneficiary("Bob", account.accountId()), Money.of("30.00", "USD"))))
                .hasMessageContaining("Currency mismatch");
    }

    private static CreateAccountCommand newAccount(String balance) {
        return new CreateAccountCommand(
                UUID.randomUUID(), UUID.randomUUID(), "A-2", AccountType.SAVINGS, "001", false, euro(balance));
    }
}
