package com.acme.payments.domain.service;

import static com.acme.payments.domain.service.Memory.euro;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.payments.application.command.BookLimitsCommand;
import com.acme.payments.application.command.ReverseLimitsCommand;
import com.acme.payments.application.command.account.AccountLimitDefinition;
import com.acme.payments.application.command.account.CreateLimitsCommand;
import com.acme.payments.application.command.account.RemoveLimitsCommand;
import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.AccountLimit.Period;
import com.acme.payments.domain.model.LimitExceededException;
import com.acme.payments.domain.model.TransactionType;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class LimitServiceTest {

    private static final UUID ACCOUNT = UUID.randomUUID();
    private static final LocalDate DAY = LocalDate.of(2026, 3, 10);

    private final Memory.Limits limits = new Memory.Limits();
    private final LimitService service = new LimitService(limits);

    @Test
    void limits_are_created_once_and_removed() {
        service.createLimits(dailyAndMonthly());
        service.createLimits(dailyAndMonthly());
        assertThat(limits.lock(ACCOUNT)).hasSize(2);

        service.removeLimits(new RemoveLimitsCommand(ACCOUNT));
        assertThat(limits.lock(ACCOUNT)).isEmpty();
    }

    @Test
    void a_payment_is_booked_against_every_limit_once() {
        service.createLimits(dailyAndMonthly());
        BookLimitsCommand payment = payment("40.00", DAY);

        service.bookLimits(payment);
        service.bookLimits(payment);

        assertThat(limits.lock(ACCOUNT)).extracting(AccountLimit::utilized).containsOnly(euro("40.00"));
    }

    @Test
    void the_limit_of_a_day_is_exceeded_before_that_of_the_month() {
        service.createLimits(dailyAndMonthly());
        service.bookLimits(payment("100.00", DAY));

        assertThatThrownBy(() -> service.bookLimits(payment("0.01", DAY)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("DAILY");
        service.bookLimits(payment("100.00", DAY.plusDays(1)));
        assertThatThrownBy(() -> service.bookLimits(payment("51.00", DAY.plusDays(2))))
                .hasMessageContaining("MONTHLY");
    }

    @Test
    void a_booking_is_given_back_once() {
        service.createLimits(dailyAndMonthly());
        BookLimitsCommand payment = payment("40.00", DAY);
        service.bookLimits(payment);
        service.bookLimits(payment("10.00", DAY));

        service.reverseLimits(new ReverseLimitsCommand(payment.paymentId(), ACCOUNT));
        service.reverseLimits(new ReverseLimitsCommand(payment.paymentId(), ACCOUNT));

        assertThat(limits.lock(ACCOUNT)).extracting(AccountLimit::utilized).containsOnly(euro("10.00"));
    }

    @Test
    void an_account_without_limits_has_nothing_to_book() {
        service.bookLimits(payment("1000000.00", DAY));

        assertThat(limits.lock(ACCOUNT)).isEmpty();
    }

    @Test
    void transactions_of_another_type_are_not_limited() {
        service.createLimits(dailyAndMonthly());

        service.bookLimits(
                new BookLimitsCommand(UUID.randomUUID(), ACCOUNT, euro("900.00"), TransactionType.CREDIT, DAY));

        assertThat(limits.lock(ACCOUNT)).extracting(AccountLimit::utilized).containsOnly(euro("0.00"));
    }

    private static BookLimitsCommand payment(String amount, LocalDate day) {
        return new BookLimitsCommand(UUID.randomUUID(), ACCOUNT, euro(amount), TransactionType.DEBIT, day);
    }

    private static CreateLimitsCommand dailyAndMonthly() {
        return new CreateLimitsCommand(
                ACCOUNT,
                DAY,
                List.of(
                        new AccountLimitDefinition(Period.DAILY, TransactionType.DEBIT, euro("100.00")),
                        new AccountLimitDefinition(Period.MONTHLY, TransactionType.DEBIT, euro("250.00"))));
    }
}
