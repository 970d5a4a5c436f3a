package io.waybill.process.definition;

import io.waybill.command.DomainCommand;
import java.math.BigDecimal;

/** The commands of the examples, with as much in them as the tests need. */
interface GuideCommands {

    record BookLimitsCommand() implements DomainCommand {}

    record ReverseLimitsCommand() implements DomainCommand {}

    record BookFxCommand() implements DomainCommand {}

    record UnwindFxCommand() implements DomainCommand {}

    record CreateTransactionCommand() implements DomainCommand {}

    record ReverseTransactionCommand() implements DomainCommand {}

    record CreatePaymentCommand(BigDecimal amount) implements DomainCommand {}

    record ValidateBeneficiaryCommand() implements DomainCommand {}

    record InitiateCommand() implements DomainCommand {}

    record Step1Command() implements DomainCommand {}

    record Step2Command() implements DomainCommand {}

    record Step3Command() implements DomainCommand {}

    record ValidateCommand() implements DomainCommand {}

    record ProcessCommand() implements DomainCommand {}

    record RejectCommand() implements DomainCommand {}

    record NotifyCommand() implements DomainCommand {}

    record CompleteCommand() implements DomainCommand {}

    record CreateAccountCommand() implements DomainCommand {}

    record CreateLimitsCommand() implements DomainCommand {}

    record CompleteAccountCreationCommand() implements DomainCommand {}
}
