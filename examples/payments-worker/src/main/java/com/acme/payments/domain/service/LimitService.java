package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.command.BookLimitsCommand;
import com.acme.payments.application.command.ReverseLimitsCommand;
import com.acme.payments.application.command.account.CreateLimitsCommand;
import com.acme.payments.application.command.account.RemoveLimitsCommand;
import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.LimitBooking;
import com.acme.payments.domain.repository.LimitRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Books payments against every limit that applies to them, each once; an account without limits has nothing to book. */
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
            command.limits()
                    .forEach(wanted -> limits.save(AccountLimit.unused(
                            command.accountId(),
                            wanted.period(),
                            wanted.transactionType(),
                            wanted.limit(),
                            command.openingDate())));
        }
    }

    @Transactional
    public void removeLimits(RemoveLimitsCommand command) {
        limits.delete(command.accountId());
    }

    @Transactional
    public void bookLimits(BookLimitsCommand command) {
        List<AccountLimit> applicable = limits.lock(command.debitAccountId()).stream()
                .filter(limit -> limit.appliesTo(command.transactionType()))
                .map(limit -> limit.on(command.valueDate()))
                .toList();
        if (!limits.findBookings(command.paymentId()).isEmpty()) {
            return;
        }
        for (AccountLimit limit : applicable) {
            AccountLimit booked = limit.book(command.debitAmount());
            limits.save(booked);
            limits.save(new LimitBooking(
                    command.paymentId(), limit.limitId(), command.debitAmount(), booked.periodStart(), false));
        }
    }

    @Transactional
    public void reverseLimits(ReverseLimitsCommand command) {
        Map<UUID, AccountLimit> byId = limits.lock(command.debitAccountId()).stream()
                .collect(Collectors.toMap(AccountLimit::limitId, Function.identity()));
        for (LimitBooking booking : limits.findBookings(command.paymentId())) {
            AccountLimit limit = byId.get(booking.limitId());
            if (!booking.reversed() && limit != null) {
                limits.save(limit.release(booking));
                limits.save(booking.reverse());
            }
        }
    }
}
