package io.waybill.server.process;

import io.waybill.Time;
import io.waybill.command.CommandReply;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.process.CommandSender;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.server.database.DatabaseOptions;
import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "explain",
        description = "What a process waits for, since when, and what happens next.",
        mixinStandardHelpOptions = true)
final class ProcessExplainCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Parameters(paramLabel = "ID", description = "The id that 'waybill process list' shows.")
    @SuppressWarnings("NullAway.Init")
    private UUID id;

    @Override
    public Integer call() {
        String explanation = database.use(store -> manager(store).explain(id));
        spec.commandLine().getOut().println(explanation);
        return 0;
    }

    /** Without the definitions, which only the application has: it can read, and must not decide. */
    private static ProcessManager manager(JdbcStore store) {
        return new ProcessManager(ProcessManagerParts.of(
                ProcessDefinitions.of(),
                store.processStore(PayloadCodec.found()),
                new NoCommands(),
                store.transactions(),
                PayloadCodec.found(),
                Time.system()));
    }

    private static final class NoCommands implements CommandSender {
        @Override
        public void send(Transaction transaction, List<StepCommand> commands) {
            throw new IllegalStateException("The command line sends no commands.");
        }

        @Override
        public Map<UUID, CommandReply> lock(Transaction transaction, Collection<UUID> commandIds) {
            throw new IllegalStateException("The command line gives no commands up.");
        }

        @Override
        public void end(Transaction transaction, List<Decision.Ended> commands) {
            throw new IllegalStateException("The command line gives no commands up.");
        }

        @Override
        public void tell(Transaction transaction, List<ProcessMessage> messages) {
            throw new IllegalStateException("The command line tells processes nothing.");
        }

        @Override
        public Set<String> handledHere() {
            return Set.of();
        }
    }
}
