package io.waybill.testkit.process;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.process.ProcessManager;
import io.waybill.process.message.StepCommand;
import io.waybill.process.message.StepCommand.Purpose;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

/** A process that runs in a test. */
public final class ProcessRun implements AssertProvider<ProcessRunAssert> {

    private static final int MAX_DELIVERIES = 100_000;

    private final World world;
    private final UUID processId;
    private final Map<String, Function<StepCommand, @Nullable CommandReply>> fates = new HashMap<>();
    private final Map<String, Boolean> lost = new HashMap<>();

    ProcessRun(World world, UUID processId) {
        this.world = world;
        this.processId = processId;
    }

    /** Says what happens to a step, or to a compensation, instead of being handled. */
    public Fate whenStep(String step) {
        return new Fate(step);
    }

    /** Lets everything happen, in virtual time, until the process has ended. */
    public ProcessRun toTheEnd() {
        for (int i = 0; i < MAX_DELIVERIES; i++) {
            settle();
            if (instance().status().isFinished()) {
                return this;
            }
            if (!world.letTimePass()) {
                throw new AssertionError("The process does not come to an end. " + explain());
            }
        }
        throw new AssertionError("The process goes on and on. " + explain());
    }

    /** Lets everything happen that needs no time. */
    public ProcessRun settle() {
        for (int i = 0; !world.pending.isEmpty(); i++) {
            if (i > MAX_DELIVERIES) {
                throw new AssertionError("The process goes on and on. " + explain());
            }
            World.Item next = world.pending.remove(0);
            if (next instanceof World.CommandItem item) {
                deliver(item);
            } else {
                world.deliver(next, null);
            }
        }
        return this;
    }

    /** Moves the clock, and lets happen what happens until then. */
    public ProcessRun advance(Duration duration) {
        settle();
        Instant until = world.clock.instant().plus(duration);
        while (world.store.nextDueAt().filter(at -> !at.isAfter(until)).isPresent()) {
            world.letTimePass();
            settle();
        }
        world.clock.advance(Duration.between(world.clock.instant(), until));
        return this;
    }

    public ProcessRun signal(String name, Map<String, Object> data) {
        manager().signal(processId, name, data);
        return this;
    }

    /** What operators use. */
    public ProcessManager manager() {
        return world.manager;
    }

    public UUID processId() {
        return processId;
    }

    public ProcessInstance instance() {
        return world.store.findById(processId).orElseThrow();
    }

    /** All that is known about the process. */
    public ProcessState state() {
        return world.store.read(processId).orElseThrow();
    }

    public MemoryProcessStore store() {
        return world.store;
    }

    public String explain() {
        return world.manager.explain(processId);
    }

    /** Every command that was given to a handler, failed attempts included: steps by their name, compensations by their type. */
    public List<String> handled() {
        return List.copyOf(world.handled);
    }

    @Override
    public ProcessRunAssert assertThat() {
        return new ProcessRunAssert(this);
    }

    private void deliver(World.CommandItem item) {
        StepCommand command = item.command();
        if (command.purpose() == Purpose.REFUSAL) {
            world.deliver(item, null);
            return;
        }
        String name = command.purpose() == Purpose.STEP ? command.step() : command.type();
        if (lost.getOrDefault(name, false)) {
            return;
        }
        var fate = fates.get(name);
        world.deliver(item, fate == null ? null : fate.apply(command));
    }

    /** What happens to a step. */
    public final class Fate {

        private final String step;

        private Fate(String step) {
            this.step = step;
        }

        /** Fails each time, and the process's rules say whether it is tried again. */
        public ProcessRun fails(String error) {
            return becomes(command -> CommandReply.failed(command.commandId(), command.processId(), error));
        }

        /** Fails so many times with something that goes away, and is then handled. */
        public ProcessRun failsTimes(int times, String error) {
            return becomes(command -> command.attempt() > times
                    ? null
                    : new CommandReply.Failed(command.commandId(), command.processId(), "", error, Retry.ALLOWED));
        }

        /** Fails for good, whatever the rules say. */
        public ProcessRun failsForGood(String error) {
            return becomes(command ->
                    new CommandReply.Failed(command.commandId(), command.processId(), "", error, Retry.FORBIDDEN));
        }

        /** Never arrives anywhere, so that nobody answers. */
        public ProcessRun isLost() {
            lost.put(step, true);
            return ProcessRun.this;
        }

        /** Is handled as usual from here on. */
        public ProcessRun works() {
            lost.remove(step);
            fates.remove(step);
            return ProcessRun.this;
        }

        private ProcessRun becomes(Function<StepCommand, @Nullable CommandReply> fate) {
            fates.put(step, fate);
            return ProcessRun.this;
        }
    }
}
