package io.waybill.testkit.process.simulation;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.process.message.StepCommand;
import io.waybill.process.message.StepCommand.Purpose;
import io.waybill.testkit.process.World;
import io.waybill.testkit.process.World.CommandItem;
import io.waybill.testkit.process.World.Item;
import io.waybill.testkit.process.World.MessageItem;
import io.waybill.testkit.process.World.ReplyItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run: again and again one of the things that could happen now happens, until nothing is left. */
final class Simulation {

    private final World world;
    private final SimulatedOperators operators;
    private final Picks picks;
    private final int longest;
    private final List<String> trace = new ArrayList<>();

    /** Something that could happen now. */
    record Possible(String what, Runnable effect) {}

    Simulation(World world, Picks picks, int longest) {
        this.world = world;
        this.operators = new SimulatedOperators(world);
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
            world.violations.forEach(violation -> Promises.check(false, violation));
            operators.check();
            world.manager.stuck(1).forEach(stuck -> Promises.check(false, "It is stuck: " + stuck + "."));
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
            possible.addAll(operators.whenNothingGoesOn());
        }
        if (picks.withOperators() && !possible.isEmpty()) {
            possible.addAll(operators.atAnyMoment());
        }
        return possible;
    }

    /** Commands of one partition key keep their order, and so do messages to a process; everything else may overtake. */
    private List<Item> arriving() {
        var keys = new HashSet<String>();
        return world.pending.stream()
                .filter(item -> item instanceof ReplyItem || keys.add(keyOf(item)))
                .toList();
    }

    private static String keyOf(Item item) {
        return item instanceof CommandItem command
                ? command.command().partitionKey()
                : ((MessageItem) item).message().processId().toString();
    }

    private void disturbances(Item item, List<Possible> possible) {
        if (item instanceof CommandItem delivered && delivered.command().purpose() != Purpose.REFUSAL) {
            StepCommand command = delivered.command();
            possible.add(new Possible(
                    name(item) + " fails, and may be tried again",
                    () -> arrive(item, failure(command, Retry.ALLOWED))));
            if (command.purpose() == Purpose.STEP) {
                possible.add(new Possible(
                        name(item) + " fails for good", () -> arrive(item, failure(command, Retry.FORBIDDEN))));
            }
        }
        if (!(item instanceof CommandItem handled) || !world.isRemote(handled.command())) {
            possible.add(new Possible(
                    name(item) + " arrives, and the process dies before it commits",
                    () -> world.crashDuring(() -> world.deliver(item, null))));
        }
        possible.add(new Possible(name(item) + " arrives, and will arrive again", () -> world.deliver(item, null)));
        if (item instanceof ReplyItem || (item instanceof CommandItem local && !world.isRemote(local.command()))) {
            possible.add(new Possible(name(item) + " arrives at a node without the definition", () -> {
                world.pending.remove(item);
                world.deliverElsewhere(item);
            }));
        }
    }

    private void arrive(Item item, @Nullable CommandReply fate) {
        world.pending.remove(item);
        world.deliver(item, fate);
    }

    private static CommandReply failure(StepCommand command, Retry retry) {
        return new CommandReply.Failed(command.commandId(), command.processId(), "", "simulated failure", retry);
    }

    private static String name(Item item) {
        if (item instanceof CommandItem delivered) {
            StepCommand command = delivered.command();
            return switch (command.purpose()) {
                        case STEP -> command.step();
                        case COMPENSATION -> command.type() + " (compensates " + command.step() + ")";
                        case REFUSAL -> "the refusal of " + command.step();
                    }
                    + (command.attempt() > 1 ? ", attempt " + command.attempt() + "," : "");
        }
        if (item instanceof ReplyItem reply) {
            return "the answer " + reply.reply().fold(done -> "Completed", failed -> "Failed", late -> "TimedOut")
                    + " of " + reply.step();
        }
        return "the message " + ((MessageItem) item).message().getClass().getSimpleName();
    }
}
