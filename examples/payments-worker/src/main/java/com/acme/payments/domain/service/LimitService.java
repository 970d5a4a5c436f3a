package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.command.BookLimitsCommand;
import com.acme.payments.application.command.CreateLimitsCommand;
import com.acme.payments.application.command.RemoveLimitsCommand;
import com.acme.payments.application.command.ReverseLimitsCommand;
import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.LimitBooking;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.repository.LimitRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Optional;

/** Books payments against limits, each once; an account without a limit has nothing to book. */
@Singleton
@HandlesCommands
public class LimitService {

    private final LimitRepository limits;

    LimitService(LimitRepository limits) {
        this.limits = limits;
    }

    @Transactional
    public void createLimits(CreateLimitsCommand command) {
        if (limits.lock(command.accountId()).isEmpty()) {
            limits.save(new AccountLimit(
                    command.accountId(),
                    new Money(command.limit(), command.currency()),
                    Money.zero(command.currency())));
        }
    }

    @Transactional
    public void removeLimits(RemoveLimitsCommand command) {
        limits.delete(command.accountId());
    }

    @Transactional
    public void bookLimits(BookLimitsCommand command) {
        Optional<AccountLimit> limit = limits.lock(command.accountId());
        if (limit.isEmpty() || limits.findBooking(command.paymentId()).isPresent()) {
            return;
        }
        var amount = new Money(command.amount(), command.currency());
        limits.save(limit.get().book(amount));
        limits.save(new LimitBooking(command.paymentId(), command.accountId(), amount, false));
    }

    @Transactional
    public void reverseLimits(ReverseLimitsCommand command) {
        Optional<AccountLimit> limit = limits.lock(command.accountId());
        limits.findBooking(command.paymentId())
                .filter(booking -> !booking.reversed())
                .ifPresent(booking -> {
                    limit.ifPresent(booked -> limits.save(booked.reverse(booking.amount())));
                    limits.save(new LimitBooking(booking.bookingId(), booking.accountId(), booking.amount(), true));
                });
    }
}
