package io.waybill.benchmarks.outbox;

import io.waybill.Backoff;
import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.Poison;
import io.waybill.benchmarks.drain.RefusingSink;
import io.waybill.benchmarks.drain.Sink;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.relay.route.Route;
import io.waybill.store.outbox.OnExhausted;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One message in a hundred is refused, at random among the keys. The rate is what was accepted until the last of the awaited
 * messages was, by the time that took; refused messages are tried again without a pause, so that the relay's work is measured
 * and not the waiting, except where the line says otherwise.
 */
public final class PoisonBenchmark implements Benchmark {

    private static final double SHARE = 0.01;
    private static final int ATTEMPTS = 3;
    private static final Backoff NO_PAUSE = new Backoff(Duration.ZERO, Duration.ZERO, 0);

    @Override
    public String name() {
        return "poison";
    }

    @Override
    public String question() {
        return "how much do bad messages (1 in 100) slow down the others?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        Poison poison = Poison.among(Workload.USUAL, lab.settings().messages(), SHARE);
        return List.of(
                compare(
                        lab,
                        "Waybill, refused once, usual backoff: keys without one",
                        sink(poison, false, poison.everyMessageOfOtherKeys()),
                        route -> route),
                compare(
                        lab,
                        "Waybill, refused once, no pause: all messages",
                        sink(poison, false, poison.everyMessage()),
                        route -> route.backoff(NO_PAUSE)),
                compare(
                        lab,
                        "Waybill, refused for good, key parked: all in front",
                        sink(poison, true, poison.everyMessageAhead()),
                        route -> route.backoff(NO_PAUSE).maxAttempts(ATTEMPTS)),
                compare(
                        lab,
                        "Waybill, refused for good, skipped: all others",
                        sink(poison, true, poison.everyOtherMessage()),
                        route -> route.backoff(NO_PAUSE).maxAttempts(ATTEMPTS).onExhausted(OnExhausted.SKIP)));
    }

    private static Drain.Factory drain(Supplier<Sink> sink, UnaryOperator<Route> route) {
        return database -> WaybillDrain.on(database, sink.get(), route);
    }

    private static Line compare(Lab lab, String measure, Supplier<Sink> sink, UnaryOperator<Route> route)
            throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                measure,
                rate.of("nothing refused", WaybillDrain.with(WaybillDrain.KEEP, 1)),
                rate.of("1 % refused", drain(sink, route)),
                Goal.atLeast(0.5));
    }

    /** A sink remembers what it refused: every measurement needs a new one. */
    private static Supplier<Sink> sink(Poison poison, boolean forGood, BitSet awaited) {
        return () -> new RefusingSink(poison.refused(), forGood, awaited);
    }
}
