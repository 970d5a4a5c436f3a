package io.waybill.process;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import io.waybill.message.UuidV7;
import io.waybill.observe.OutboxListener;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.engine.ProcessEngine;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.Transactions;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What a process manager stands on.
 *
 * @param ids what processes are called; they should rise, as those of UUID version 7 do
 * @param maxReply how many characters of JSON a reply, or the data that a process is started with, may have
 * @param listener of what happens to processes
 * @param traces knows the trace that a process is started in
 */
public record ProcessManagerParts(
        ProcessDefinitions definitions,
        ProcessEngine engine,
        ProcessStore store,
        CommandSender commands,
        Transactions transactions,
        PayloadCodec codec,
        Time time,
        Supplier<UUID> ids,
        int maxReply,
        ProcessListener listener,
        OutboxListener traces) {

    /** A megabyte: process data hold ids, not documents. */
    public static final int DEFAULT_MAX_ANSWER = 1 << 20;

    public ProcessManagerParts {
        if (maxReply < 2) {
            throw new WaybillException("A reply of at most " + maxReply + " characters cannot even be {}.");
        }
    }

    public static ProcessManagerParts of(
            ProcessDefinitions definitions,
            ProcessStore store,
            CommandSender commands,
            Transactions transactions,
            PayloadCodec codec,
            Time time) {
        return new ProcessManagerParts(
                definitions,
                ProcessEngine.of(codec),
                store,
                commands,
                transactions,
                codec,
                time,
                UuidV7.SYSTEM,
                DEFAULT_MAX_ANSWER,
                ProcessListener.NONE,
                OutboxListener.NONE);
    }

    public ProcessManagerParts with(ProcessEngine other) {
        return new ProcessManagerParts(
                definitions, other, store, commands, transactions, codec, time, ids, maxReply, listener, traces);
    }

    public ProcessManagerParts withIds(Supplier<UUID> other) {
        return new ProcessManagerParts(
                definitions, engine, store, commands, transactions, codec, time, other, maxReply, listener, traces);
    }

    public ProcessManagerParts withListener(ProcessListener other) {
        return new ProcessManagerParts(
                definitions, engine, store, commands, transactions, codec, time, ids, maxReply, other, traces);
    }

    public ProcessManagerParts withTraces(OutboxListener other) {
        return new ProcessManagerParts(
                definitions, engine, store, commands, transactions, codec, time, ids, maxReply, listener, other);
    }
}
