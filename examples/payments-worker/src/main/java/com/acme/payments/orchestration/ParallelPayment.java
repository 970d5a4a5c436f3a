package com.acme.payments.orchestration;

import com.acme.payments.RunsProcesses;
import com.acme.payments.application.command.BookFxCommand;
import com.acme.payments.application.command.BookLimitsCommand;
import com.acme.payments.application.command.CancelPaymentCommand;
import com.acme.payments.application.command.CheckBeneficiaryCommand;
import com.acme.payments.application.command.CreatePaymentCommand;
import com.acme.payments.application.command.CreateTransactionCommand;
import com.acme.payments.application.command.CreditBeneficiaryCommand;
import com.acme.payments.application.command.NotifyPaymentCommand;
import com.acme.payments.application.command.RecallCreditCommand;
import com.acme.payments.application.command.ReverseLimitsCommand;
import com.acme.payments.application.command.ReverseTransactionCommand;
import com.acme.payments.application.command.UnwindFxCommand;
import com.acme.payments.application.command.ValidatePaymentCommand;
import io.waybill.process.graph.ProcessGraph;
import jakarta.inject.Singleton;

/** A payment in another currency: exchange, limits and the beneficiary are looked after at once. */
@Singleton
@RunsProcesses
public class ParallelPayment implements PaymentRetries {

    public static final String TYPE = "ParallelPayment";

    @Override
    public String getProcessType() {
        return TYPE;
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(ValidatePaymentCommand.class)
                .thenParallel()
                .branch(BookFxCommand.class)
                .withCompensation(UnwindFxCommand.class)
                .branch(BookLimitsCommand.class)
                .withCompensation(ReverseLimitsCommand.class)
                .branch(CheckBeneficiaryCommand.class)
                .joinAt(CreateTransactionCommand.class)
                .withCompensation(ReverseTransactionCommand.class)
                .then(CreatePaymentCommand.class)
                .withCompensation(CancelPaymentCommand.class)
                .then(CreditBeneficiaryCommand.class)
                .withCompensation(RecallCreditCommand.class)
                .then(NotifyPaymentCommand.class)
                .end();
    }
}
