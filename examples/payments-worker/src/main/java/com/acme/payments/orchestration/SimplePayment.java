package com.acme.payments.orchestration;

import com.acme.payments.RunsProcesses;
import com.acme.payments.application.command.BookFxCommand;
import com.acme.payments.application.command.BookLimitsCommand;
import com.acme.payments.application.command.CancelPaymentCommand;
import com.acme.payments.application.command.CreatePaymentCommand;
import com.acme.payments.application.command.CreateTransactionCommand;
import com.acme.payments.application.command.CreditBeneficiaryCommand;
import com.acme.payments.application.command.NotifyPaymentCommand;
import com.acme.payments.application.command.RecallCreditCommand;
import com.acme.payments.application.command.ReverseLimitsCommand;
import com.acme.payments.application.command.ReverseTransactionCommand;
import com.acme.payments.application.command.UnwindFxCommand;
import io.waybill.process.graph.ProcessGraph;
import jakarta.inject.Singleton;
import java.time.Duration;

/** A payment one step after the other, with foreign exchange if it needs some. */
@Singleton
@RunsProcesses
public class SimplePayment implements PaymentRetries {

    public static final String TYPE = "SimplePayment";

    @Override
    public String getProcessType() {
        return TYPE;
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(BookLimitsCommand.class)
                .withCompensation(ReverseLimitsCommand.class)
                .thenIf(data -> data.flag("requiresFx"))
                .whenTrue(BookFxCommand.class)
                .withCompensation(UnwindFxCommand.class)
                .then(CreateTransactionCommand.class)
                .withTimeout(Duration.ofSeconds(30))
                .withCompensation(ReverseTransactionCommand.class)
                .then(CreatePaymentCommand.class)
                .withCompensation(CancelPaymentCommand.class)
                .then(CreditBeneficiaryCommand.class)
                .withCompensation(RecallCreditCommand.class)
                .then(NotifyPaymentCommand.class)
                .end();
    }
}
