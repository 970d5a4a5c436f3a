package io.waybill.benchmarks.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.harness.Measured;
import io.waybill.benchmarks.harness.Unit;
import io.waybill.benchmarks.harness.Variant;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Crew;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.BatchReceiver;
import io.waybill.inbox.receive.FailAtOnce;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.UuidV7;
import io.waybill.observe.InboxListener;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a handler with one business INSERT does per second, each message once; the broker is a list in memory. */
public final class ReceiveBenchmark implements Benchmark {

    private static final int RECEIVERS = 2;
    private static final int BATCH = 500;
    private static final String HANDLER = "billing";

    @Override
    public String name() {
        return "receive";
    }

    @Override
    public String question() {
        return "how many messages take effect once per second, beside a loop written by hand?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        String measure = "Waybill, inbox + 1 business INSERT each, 500 per commit, 2 receivers";
        List<Measured<Double>> measured = lab.rounds()
                .of(
                        measure,
                        variant(lab, "loop by hand, INSERT one by one", HandWrittenReceiver::oneByOne),
                        variant(lab, "loop by hand, INSERT as one JDBC batch", HandWrittenReceiver::batched),
                        variant(lab, "Waybill", ReceiveBenchmark::waybill));
        Measured<Double> ours = measured.get(2);
        return List.of(
                Line.compare(measure, Unit.PER_SECOND, measured.get(0), ours, Goal.atLeast(0.6)),
                Line.compare(
                        "the same, beside a loop that a handler of one message cannot be",
                        Unit.PER_SECOND,
                        measured.get(1),
                        ours,
                        Goal.NONE),
                Line.figure(
                        "the same, by itself", Unit.PER_SECOND, ours.by(Double::doubleValue), Goal.atLeast(10_000)));
    }

    private static Variant<Double> variant(Lab lab, String name, Factory factory) {
        return new Variant<>(name, () -> {
            try (BenchmarkDatabase database = lab.newDatabase()) {
                JdbcStore.on(database.pool()).initializeSchema();
                database.execute("CREATE TABLE invoice (order_number TEXT NOT NULL, payload TEXT NOT NULL)");
                Receiver receiver = factory.on(database);
                List<List<Delivery>> batches = batches(lab.settings().messages());
                database.settle();
                return perSecond(receiver, batches);
            }
        });
    }

    private static double perSecond(Receiver receiver, List<List<Delivery>> batches) throws Exception {
        long start = System.nanoTime();
        Crew.run(RECEIVERS, member -> {
            for (int i = member; i < batches.size(); i += RECEIVERS) {
                receiver.receive(batches.get(i));
            }
        });
        return batches.size() * BATCH / DrainRate.seconds(System.nanoTime() - start);
    }

    private static List<List<Delivery>> batches(int messages) {
        List<List<Delivery>> batches = new ArrayList<>();
        for (int from = 0; from < messages; from += BATCH) {
            List<Delivery> batch = new ArrayList<>();
            for (int number = from; number < from + BATCH; number++) {
                var headers = Map.of(Headers.MESSAGE_ID, UuidV7.SYSTEM.get().toString());
                byte[] body = Workload.USUAL.payload(number).getBytes(UTF_8);
                batch.add(new Delivery("orders", Workload.USUAL.key(number), "", new WireMessage(headers, body)));
            }
            batches.add(batch);
        }
        return batches;
    }

    private static Receiver waybill(BenchmarkDatabase database) {
        JdbcStore store = JdbcStore.on(database.pool());
        var subscriber = Subscriber.ofText(HANDLER, received -> {
            try (var insert = received.connection().prepareStatement(HandWrittenReceiver.INVOICE)) {
                insert.setString(1, received.message().key());
                insert.setString(2, received.payload());
                insert.executeUpdate();
            }
        });
        return new BatchReceiver(
                subscriber,
                new Inbox(store.inboxStore(), store.transactions(), store.outbox()),
                store.failedStore(),
                new FailAtOnce(store.failedStore(), HANDLER),
                ReceivingOptions.DEFAULT,
                InboxListener.NONE);
    }

    @FunctionalInterface
    private interface Factory {
        Receiver on(BenchmarkDatabase database);
    }
}
