package io.waybill.runtime;

import io.waybill.WaybillException;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.Cleanup;
import io.waybill.process.store.ProcessStore;
import io.waybill.runtime.CleanupJob.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long what is over is kept. Messages have a retention of their own, in the store's options. */
record Retention(Duration inbox, Duration commands, Duration processes) {

    static final Retention DEFAULT = new Retention(Duration.ofDays(30), Duration.ofDays(30), Duration.ofDays(30));

    Retention inbox(Duration other) {
        return new Retention(other, commands, processes);
    }

    Retention commands(Duration other) {
        return new Retention(inbox, other, processes);
    }

    Retention processes(Duration other) {
        return new Retention(inbox, commands, other);
    }

    /** Refuses a retention that is too short, or that has nothing to remove. */
    void check(ReceivingOptions receiving, boolean takesCommands, boolean hasProcesses) {
        receiving.checkRetention(inbox);
        if (takesCommands && commands.compareTo(receiving.redeliveryWindow()) <= 0) {
            throw new WaybillException("Commands are forgotten after " + commands + ", but a broker may deliver one"
                    + " again within " + receiving.redeliveryWindow() + " (the redelivery window), and it would run"
                    + " twice. Set commandRetention longer than that.");
        }
        if (hasProcesses && commands.compareTo(processes) < 0) {
            throw new WaybillException("commandRetention (" + commands + ") must be at least processRetention ("
                    + processes
                    + "): the commands of a process are kept as long as the process, and every cleanup would read them"
                    + " without removing any.");
        }
    }

    /** What removes the rest. Without a retention of messages there are none to remove. */
    List<Job> jobs(JdbcStore store, PayloadCodec codec, Duration messages) {
        var cleanup = new Cleanup(store.cleanup());
        ProcessStore processStore = store.processStore(codec);
        var jobs = new ArrayList<Job>();
        if (!messages.isZero()) {
            jobs.add(new Job("messages", messages, options -> cleanup.outbox(options, soFar -> {})));
        }
        jobs.add(new Job("inbox rows", inbox, options -> cleanup.inbox(options, soFar -> {})));
        jobs.add(new Job("processes", processes, options -> Cleanup.processes(processStore, options, soFar -> {})));
        jobs.add(
                new Job("commands", commands, options -> Cleanup.commands(store.commandStore(), options, soFar -> {})));
        return jobs;
    }
}
