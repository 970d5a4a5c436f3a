package com.acme.payments;

import com.acme.payments.application.command.account.AccountLimitDefinition;
import com.acme.payments.domain.model.AccountLimit.Period;
import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.infrastructure.http.PaymentController;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What processes begin with. */
final class TestData {

    static final LocalDate DAY = LocalDate.of(2026, 3, 10);

    private TestData() {}

    static Map<String, Object> account(UUID account, String balance, @Nullable String limit) {
        List<AccountLimitDefinition> limits = limit == null
                ? List.of()
                : List.of(
                        new AccountLimitDefinition(Period.DAILY, TransactionType.DEBIT, euro(limit)),
                        new AccountLimitDefinition(Period.MONTHLY, TransactionType.DEBIT, euro("100000.00")));
        return Map.of(
                "accountId",
                account,
                "customerId",
                UUID.randomUUID(),
                "accountNumber",
                account.toString().substring(0, 30),
                "accountType",
                AccountType.CHECKING,
                "transitNumber",
                "001",
                "openingBalance",
                euro(balance),
                "openingDate",
                DAY,
                "limitBased",
                limit != null,
                "limits",
                limits);
    }

    static Map<String, Object> payment(UUID payment, UUID account, String amount, String beneficiary, String target) {
        return payment(payment, account, amount, new Beneficiary(beneficiary, null), target);
    }

    static Map<String, Object> payment(
            UUID payment, UUID account, String amount, Beneficiary beneficiary, String target) {
        return PaymentController.paymentData(payment, account, beneficiary, euro(amount), target, DAY);
    }

    static Money euro(String amount) {
        return Money.of(amount, "EUR");
    }
}
