package io.waybill.testkit.process;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.process.ProcessState;
import io.waybill.process.StepCommand;
import io.waybill.process.StepStatus;
import io.waybill.testkit.process.World.CommandItem;
import io.waybill.testkit.process.World.Item;
import io.waybill.testkit.process.World.MessageItem;
import io.waybill.testkit.process.World.ReplyItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One run: again and again one of the things that could happen now happens, until nothing is left. */
final class Simulation {

    private final World world;
    private final UUID processId;
    private final Picks picks;
    private final int longest;
    private final List<String> trace = new ArrayList<>();

    /** Something that could happen now. */
    private record Possible(String what, Runnable effect) {}

    Simulation(World world, UUID processId, Picks picks, int longest) {
        this.world = world;
        this.processId = processId;
        this.picks = picks;
        this.longest = longest;
    }

    List<String> trace() {
        return trace;
    }

    void run() {
        for (int i = 0; i < longest; i++) {
            List<Possible> possible = possible();
            if (possible.isEmpty()) {
                return;
            }
            Possible chosen = possible.get(picks.happens(possible.size()));
            trace.add(world.clock.instant() + "  " + chosen.what());
            chosen.effect().run();
        }
        throw new Violation("The process does not come to an end within " + longest + " deliveries.");
    }

    private List<Possible> possible() {
        var possible = new ArrayList<Possible>();
        List<Item> arriving = arriving();
        arriving.forEach(item -> possible.add(new Possible(name(item) + " arrives", () -> arrive(item, null))));
        boolean timeCanPass = world.store.nextDueAt().isPresent();
        if (timeCanPass) {
            possible.add(new Possible("time passes", world::letTimePass));
        }
        arriving.forEach(item -> disturbances(item, possible));
        if (timeCanPass) {
            possible.add(new Possible("time passes, and the process dies before it commits", world::letTimePassInVain));
        }
        if (possible.isEmpty()) {
            blocked()
                    .forEach(step -> possible.add(new Possible(
                            "an operator retries the compensation of " + step,
                            () -> world.manager.retry(processId, step, "simulated"))));
        }
        return possible;
    }

    /** Commands of one partition key keep their order; everything else may overtake. */
    private List<Item> arriving() {
        var keys = new HashSet<String>();
        return world.pending.stream()
                .filter(item -> !(item instanceof CommandItem command)
                        || keys.add(command.command().partitionKey()))
                .toList();
    }

    private void disturbances(Item item, List<Possible> possible) {
        if (item instanceof CommandItem delivered) {
            StepCommand command = delivered.command();
            possible.add(new Possible(
                    name(item) + " fails, and may be tried again",
                    () -> arrive(item, failure(command, Retry.ALLOWED))));
            if (command.undoes() == null) {
                possible.add(new Possible(
                        name(item) + " fails for good", () -> arrive(item, failure(command, Retry.FORBIDDEN))));
            }
        } else {
            possible.add(new Possible(
                    name(item) + " arrives, and the process dies before it commits",
                    () -> world.crashDuring(() -> world.deliver(item, null))));
        }
        possible.add(new Possible(name(item) + " arrives, and will arrive again", () -> world.deliver(item, null)));
    }

    private void arrive(Item item, @Nullable CommandReply fate) {
        world.pending.remove(item);
        world.deliver(item, fate);
    }

    private List<String> blocked() {
        ProcessState state = world.store.read(processId).orElseThrow();
        return state.executions().stream()
                .filter(step -> step.status() == StepStatus.UNDO_BLOCKED)
                .map(step -> step.step())
                .toList();
    }

    private static CommandReply failure(StepCommand command, Retry retry) {
        return new CommandReply.Failed(command.commandId(), command.processId(), "", "simulated failure", retry);
    }

    private static String name(Item item) {
        if (item instanceof CommandItem delivered) {
            StepCommand command = delivered.command();
            return (command.undoes() == null ? command.step() : command.type() + " (undoes " + command.step() + ")")
                    + (command.attempt() > 1 ? ", attempt " + command.attempt() + "," : "");
        }
        if (item instanceof ReplyItem reply) {
            return "the answer " + reply.reply().fold(done -> "Completed", failed -> "Failed", late -> "TimedOut")
                    + " of " + reply.step();
        }
        return "the message " + ((MessageItem) item).message().getClass().getSimpleName();
    }
}
