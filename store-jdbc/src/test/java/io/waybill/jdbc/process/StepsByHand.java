package io.waybill.jdbc.process;

import io.waybill.Time;
import io.waybill.command.CommandReply;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.process.CommandSender;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.store.Transaction;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Keeps the commands of processes, for a test to answer them. */
public final class StepsByHand implements CommandSender {

    private final Deque<StepCommand> sent = new ArrayDeque<>();

    public ProcessManager manager(JdbcStore store, ProcessConfiguration definition) {
        PayloadCodec codec = PayloadCodec.found();
        return new ProcessManager(ProcessManagerParts.of(
                ProcessDefinitions.of(definition),
                store.processStore(codec),
                this,
                store.transactions(),
                codec,
                Time.system()));
    }

    /** What nobody has answered. */
    public Deque<StepCommand> sent() {
        return sent;
    }

    @Override
    public void send(Transaction transaction, List<StepCommand> commands, Map<String, String> trace) {
        sent.addAll(commands);
    }

    /** Handlers on other databases. */
    @Override
    public Map<UUID, CommandReply> lock(Transaction transaction, Collection<UUID> commandIds) {
        return Map.of();
    }

    @Override
    public void end(Transaction transaction, List<Decision.Ended> commands) {}

    @Override
    public void sendMessages(Transaction transaction, List<ProcessMessage> messages, Map<String, String> trace) {}

    @Override
    public Set<String> handledHere() {
        return Set.of("Work");
    }
}
