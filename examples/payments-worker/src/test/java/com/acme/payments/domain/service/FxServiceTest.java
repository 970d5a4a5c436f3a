package com.acme.payments.domain.service;

import static com.acme.payments.domain.service.Memory.euro;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.payments.application.command.BookFxCommand;
import com.acme.payments.application.command.UnwindFxCommand;
import com.acme.payments.domain.model.FxRateUnavailableException;
import com.acme.payments.domain.model.Money;
import java.math.BigDecimal;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class FxServiceTest {

    private static final UUID PAYMENT = UUID.randomUUID();

    private final Memory.Contracts contracts = new Memory.Contracts();
    private final FxService service = new FxService(contracts);

    @Test
    void an_exchange_answers_with_what_the_payment_needs_to_know_and_is_booked_once() {
        var command = new BookFxCommand(PAYMENT, euro("10.01"), "USD");

        var answer = service.bookFx(command);

        assertThat(answer)
                .containsEntry("creditAmount", Money.of("10.86", "USD"))
                .containsEntry("exchangeRate", new BigDecimal("1.0850"));
        assertThat(service.bookFx(command)).isEqualTo(answer);
    }

    @Test
    void a_rate_that_nobody_has_is_named() {
        assertThatThrownBy(() -> service.bookFx(new BookFxCommand(PAYMENT, euro("1.00"), "JPY")))
                .isInstanceOf(FxRateUnavailableException.class)
                .hasMessageContaining("EUR to JPY");
    }

    @Test
    void a_contract_is_unwound_and_stays() {
        service.bookFx(new BookFxCommand(PAYMENT, euro("10.00"), "USD"));

        service.unwindFx(new UnwindFxCommand(PAYMENT));
        service.unwindFx(new UnwindFxCommand(UUID.randomUUID()));

        assertThat(contracts.findByBooking(PAYMENT).orElseThrow().unwound()).isTrue();
    }
}
