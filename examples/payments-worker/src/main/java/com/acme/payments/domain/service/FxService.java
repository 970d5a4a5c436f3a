package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.command.BookFxCommand;
import com.acme.payments.application.command.UnwindFxCommand;
import com.acme.payments.domain.model.FxContract;
import com.acme.payments.domain.model.FxRateUnavailableException;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.repository.FxContractRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Buys and gives back foreign exchange, at rates that stand here instead of a market. */
@Singleton
@HandlesCommands
public class FxService {

    private static final Map<String, BigDecimal> RATES = Map.of(
            "EURUSD", new BigDecimal("1.0850"),
            "EURGBP", new BigDecimal("0.8420"),
            "USDEUR", new BigDecimal("0.9217"),
            "GBPEUR", new BigDecimal("1.1876"));

    private final FxContractRepository contracts;

    FxService(FxContractRepository contracts) {
        this.contracts = contracts;
    }

    @Transactional
    public Map<String, Object> bookFx(BookFxCommand command) {
        FxContract contract = contracts.findByBooking(command.paymentId()).orElseGet(() -> book(command));
        return Map.of(
                "fxContractId", contract.contractId(),
                "exchangeRate", contract.rate(),
                "creditAmount", contract.bought());
    }

    private FxContract book(BookFxCommand command) {
        Money sold = command.debitAmount();
        String bought = command.creditCurrency();
        BigDecimal rate = Optional.ofNullable(RATES.get(sold.currencyCode() + bought))
                .orElseThrow(() -> new FxRateUnavailableException(sold.currencyCode(), bought));
        var contract =
                new FxContract(UUID.randomUUID(), command.paymentId(), sold, sold.exchange(rate, bought), rate, false);
        contracts.save(contract);
        return contract;
    }

    @Transactional
    public void unwindFx(UnwindFxCommand command) {
        contracts
                .findByBooking(command.paymentId())
                .map(booked -> new FxContract(
                        booked.contractId(), booked.bookingId(), booked.sold(), booked.bought(), booked.rate(), true))
                .ifPresent(contracts::save);
    }
}
