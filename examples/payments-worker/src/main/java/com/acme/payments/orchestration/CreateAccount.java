package com.acme.payments.orchestration;

import com.acme.payments.RunsProcesses;
import com.acme.payments.application.command.account.ActivateAccountCommand;
import com.acme.payments.application.command.account.CloseAccountCommand;
import com.acme.payments.application.command.account.CreateAccountCommand;
import com.acme.payments.application.command.account.CreateLimitsCommand;
import com.acme.payments.application.command.account.RemoveLimitsCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import jakarta.inject.Singleton;

/** An account, with limits if it is to have some; both ways meet where it becomes active. */
@Singleton
@RunsProcesses
public class CreateAccount implements ProcessConfiguration {

    public static final String TYPE = "CreateAccount";

    @Override
    public String getProcessType() {
        return TYPE;
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(CreateAccountCommand.class)
                .withCompensation(CloseAccountCommand.class)
                .thenIf(data -> data.flag("limitBased"))
                .whenTrue(CreateLimitsCommand.class)
                .withCompensation(RemoveLimitsCommand.class)
                .then(ActivateAccountCommand.class)
                .end();
    }
}
