package io.waybill.benchmarks.broker;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.drain.WaybillDrain;
import io.waybill.benchmarks.floor.FloorDrain;
import io.waybill.benchmarks.floor.FloorRelay;
import io.waybill.benchmarks.floor.FloorTable;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.Goal;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Line;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.kafka.Kafka;
import io.waybill.message.UuidV7;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** From PostgreSQL to Kafka in order, beside plain SQL and Kafka's own producer with the same acknowledgements. */
public final class KafkaBenchmark implements Benchmark {

    private static final int PARTITIONS = 12;

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String question() {
        return "how fast does what waits reach Kafka, in order, beside plain SQL with Kafka's own producer?";
    }

    @Override
    public List<Line> measure(Lab lab) throws Exception {
        try (var broker = io.waybill.testkit.services.broker.KafkaNode.start()) {
            String servers = broker.bootstrapServers();
            createTopic(servers);
            try (var kafka = Kafka.at(servers);
                    var unfenced = kafka.withoutFencing()) {
                return measure(lab, servers, kafka, unfenced);
            }
        }
    }

    private static List<Line> measure(Lab lab, String servers, Kafka kafka, Kafka unfenced) throws Exception {
        JdbcStoreOptions keep = WaybillDrain.KEEP;
        JdbcStoreOptions remove = WaybillDrain.REMOVE;
        return List.of(
                compare(lab, "1 relay", kafka, 1, keep, servers, FloorTable.UPDATE),
                compare(lab, "1 relay, retention 0", kafka, 1, remove, servers, FloorTable.DELETE),
                compare(lab, "2 relays, retention 0", kafka, 2, remove, servers, FloorTable.DELETE),
                compare(lab, "1 relay, retention 0, not fenced", unfenced, 1, remove, servers, FloorTable.DELETE));
    }

    private static Line compare(
            Lab lab,
            String measure,
            Kafka kafka,
            int relays,
            JdbcStoreOptions options,
            String servers,
            FloorTable floor)
            throws Exception {
        var rate = DrainRate.in(lab);
        return rate.compare(
                "Waybill, " + measure,
                rate.of(floor + ", KafkaProducer", database -> {
                    var bare = bare(servers);
                    return FloorDrain.with(floor, bare::send).on(database).closing(bare);
                }),
                rate.of("Waybill", database -> {
                    List<Publisher> ours =
                            Stream.generate(() -> ours(kafka)).limit(relays).toList();
                    return WaybillDrain.to(ours, options, Workload.USUAL)
                            .on(database)
                            .closing(() -> ours.forEach(Publisher::close));
                }),
                Goal.atLeast(0.6));
    }

    /** Has connected and sent a message, like ours. */
    private static BareKafka bare(String servers) {
        var bare = new BareKafka(servers);
        bare.send(List.of(
                new FloorRelay.Row(0, Workload.USUAL.key(0), Workload.DESTINATION, Workload.USUAL.payload(0), "")));
        return bare;
    }

    private static Publisher ours(Kafka kafka) {
        Publisher publisher = kafka.publisher("benchmark", WireFormat.PLAIN);
        List<Outcome> outcomes =
                publisher.publish(List.of(Workload.USUAL.message(0).seal(UuidV7.SYSTEM)), Deadline.NEVER);
        if (!outcomes.equals(List.of(new Outcome.Accepted()))) {
            throw new IllegalStateException("Kafka did not take the first message: " + outcomes);
        }
        return publisher;
    }

    private static void createTopic(String servers) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(new NewTopic(Workload.DESTINATION, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
    }
}
