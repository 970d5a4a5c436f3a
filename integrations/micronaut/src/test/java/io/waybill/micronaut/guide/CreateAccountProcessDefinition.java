package io.waybill.micronaut.guide;

import io.waybill.micronaut.guide.AccountCommands.CompleteAccountCreationCommand;
import io.waybill.micronaut.guide.AccountCommands.CreateAccountCommand;
import io.waybill.micronaut.guide.AccountCommands.CreateLimitsCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.function.Predicate;

/** Section 5.6, with a condition that is kept in a variable. */
@Singleton
public class CreateAccountProcessDefinition implements ProcessConfiguration {

    @Override
    public String getProcessType() {
        return "CreateAccount";
    }

    @Override
    public ProcessGraph defineProcess() {
        Predicate<Map<String, Object>> limitBased = data -> (Boolean) data.get("limitBased");
        return process()
                .startWith(CreateAccountCommand.class)
                .thenIf(limitBased)
                .whenTrue(CreateLimitsCommand.class)
                .then(CompleteAccountCreationCommand.class) // Convergence + terminal
                .end();
    }
}
