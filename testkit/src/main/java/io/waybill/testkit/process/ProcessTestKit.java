package io.waybill.testkit.process;

import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.engine.ProcessEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs a process in memory and in virtual time.
 *
 * <pre>{@code
 * var run = ProcessTestKit.run(new SimplePaymentProcess(), handlers).start("payment-1", data);
 * run.whenStep("CreateTransaction").fails("InsufficientFunds");
 * run.toTheEnd();
 * assertThat(run).isCompensated().ran("BookLimits", "CreateTransaction", "ReverseLimits");
 * }</pre>
 */
public final class ProcessTestKit {

    private final ProcessConfiguration process;
    private final Handlers handlers;
    private final List<ProcessConfiguration> others = new ArrayList<>();

    private ProcessTestKit(ProcessConfiguration process, Handlers handlers) {
        this.process = process;
        this.handlers = handlers;
    }

    public static ProcessTestKit run(ProcessConfiguration process, Handlers handlers) {
        return new ProcessTestKit(process, handlers);
    }

    /** A definition that the process starts as a step. */
    public ProcessTestKit with(ProcessConfiguration subProcess) {
        others.add(subProcess);
        return this;
    }

    /** Starts it; nothing has been handled yet. */
    public ProcessRun start(String businessKey, Map<String, Object> data) {
        var all = new ArrayList<>(others);
        all.add(process);
        var world = new World(ProcessDefinitions.of(all), handlers, ProcessEngine.of(handlers.codec()), type -> true);
        return new ProcessRun(world, world.manager.startProcess(process.getProcessType(), businessKey, data));
    }
}
