package com.acme.payments.infrastructure.http;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.acme.payments.application.command.account.DepositCommand;
import com.acme.payments.domain.model.Money;
import com.acme.payments.infrastructure.http.AccountOpeningController.NewDeposit;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.test.annotation.MockBean;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.command.PendingReply;
import io.waybill.message.PayloadCodec;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the API says of every reply that a deposit may have. The command bus is a mock: no command of this application times out. */
@MicronautTest(startApplication = false, transactional = false)
@Property(name = "datasources.default.url", value = "jdbc:h2:mem:controller;DB_CLOSE_DELAY=-1")
@Property(name = "waybill.relays", value = "0")
class AccountOpeningControllerTest {

    private static final UUID COMMAND = UUID.randomUUID();

    private final UUID account = UUID.randomUUID();
    private final UUID request = UUID.randomUUID();

    @Inject
    AccountOpeningController controller;

    @Inject
    CommandBus commands;

    @SuppressWarnings("NullAway.Init")
    AccountOpeningControllerTest() {}

    @MockBean(CommandBus.class)
    CommandBus commandBus() {
        return mock(CommandBus.class);
    }

    @Test
    void a_deposit_that_was_made_is_answered_with_its_result() {
        HttpResponse<?> response = deposit(CommandReply.completed(COMMAND, COMMAND, Map.of("balance", "105.50 EUR")));

        assertThat(response.code()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(Map.of("balance", "105.50 EUR"));
        verify(commands)
                .send(
                        new DepositCommand(request, account, Money.of("5.50", "EUR")),
                        idempotencyKey(request),
                        businessKey(account),
                        CommandOptions.DEFAULT);
    }

    @Test
    void a_deposit_that_was_refused_is_answered_with_the_reason() {
        HttpResponse<?> response = deposit(CommandReply.failed(COMMAND, COMMAND, "there is no such account"));

        assertThat(response.code()).isEqualTo(422);
        assertThat(response.body()).isEqualTo(Map.of("message", "there is no such account"));
    }

    @Test
    void a_deposit_that_takes_longer_is_accepted_and_can_be_asked_for() {
        HttpResponse<?> response = deposit(CommandReply.timedOut(COMMAND, COMMAND, "no answer"));

        assertThat(response.code()).isEqualTo(202);
        assertThat(response.body()).isEqualTo(Map.of("commandId", COMMAND));
    }

    private HttpResponse<?> deposit(CommandReply reply) {
        when(commands.send(any(), any(), any(), any()))
                .thenReturn(new PendingReply(COMMAND, CompletableFuture.completedFuture(reply), PayloadCodec.found()));
        return controller.deposit(account, new NewDeposit(request, "5.50", "EUR"));
    }
}
