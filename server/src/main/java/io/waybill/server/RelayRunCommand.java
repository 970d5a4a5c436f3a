package io.waybill.server;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.ops.OutboxOperations;
import io.waybill.plain.Waybill;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayOptions;
import io.waybill.relay.Route;
import io.waybill.relay.Routes;
import io.waybill.store.DestinationStats;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import io.waybill.transport.WireFormat;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = {
            "Sends what waits in the outbox of a database, in order, until Ctrl-C.",
            "",
            "Messages may be written by any program: INSERT INTO outbox (destination, payload) is enough, partition_key keeps"
                    + " the order of a key. Tables that are missing are created."
        },
        mixinStandardHelpOptions = true)
final class RelayRunCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--to",
            paramLabel = "URL",
            required = true,
            description = {
                "Where messages go: kafka://host:9092, amqp://user@host, jms+artemis://host:61616, webhook+https://host/path,",
                "or one JSON object per line to stdout: or file:PATH."
            })
    @SuppressWarnings("NullAway.Init")
    private String to;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "plain",
            description = "How messages look there: plain, cloudevents-binary or cloudevents-structured (plain).")
    private String format = "plain";

    @Option(
            names = "--retention-days",
            paramLabel = "N",
            defaultValue = "7",
            description = "How long sent messages are kept (7); 0 removes them as they are sent.")
    private int retentionDays = 7;

    @Option(names = "--once", description = "Send what waits now, say what became of it, and end.")
    private boolean once;

    @Override
    public Integer call() {
        try (Transport transport = transport()) {
            return database.use(
                    (pool, options) -> once
                            ? drain(JdbcStore.on(pool, options, Time.system()).initializeSchema(), route(transport))
                            : serve(Waybill.on(pool)
                                    .tablePrefix(options.prefix())
                                    .retention(options.retention())
                                    .route(route(transport))),
                    Duration.ofDays(retentionDays));
        }
    }

    private Transport transport() {
        try {
            return Transports.open(to);
        } catch (WaybillException e) {
            throw new ParameterException(spec.commandLine(), "--to: " + e.getMessage(), e);
        }
    }

    private Route route(Transport transport) {
        try {
            return Route.of("**", transport).format(WireFormat.of(format));
        } catch (WaybillException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int serve(Waybill.Builder builder) {
        var stopped = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stopped.countDown();
            awaitQuietly(ended);
        }));
        try (Waybill running = builder.start()) {
            spec.commandLine().getErr().println("waybill: sending from " + database.shown() + "; Ctrl-C ends it.");
            awaitQuietly(stopped);
        } finally {
            ended.countDown();
        }
        return 0;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int drain(JdbcStore store, Route route) {
        var outcome = new Outcome();
        try (var relay = new Relay(
                store.outboxStore(),
                store.leaseStore(),
                Routes.of(route),
                RelayOptions.DEFAULT,
                Time.system(),
                outcome)) {
            relay.drain();
        }
        List<DestinationStats> left = new OutboxOperations(store.admin()).stats();
        // Standard output may be where the messages went.
        PrintWriter out = to.startsWith("stdout:")
                ? spec.commandLine().getErr()
                : spec.commandLine().getOut();
        out.println(outcome.sent + " messages sent, " + outcome.failed + " failed, "
                + left.stream().mapToLong(DestinationStats::pending).sum() + " pending, "
                + left.stream().mapToLong(DestinationStats::waiting).sum() + " wait for another attempt, "
                + left.stream().mapToLong(DestinationStats::held).sum() + " are held behind them.");
        outcome.paused.forEach((destination, reason) -> out.println(destination + " takes no messages: " + reason));
        out.flush();
        return outcome.paused.isEmpty() ? 0 : 1;
    }

    /** What became of the messages. */
    private static final class Outcome implements RelayListener {

        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final Map<String, String> paused = new TreeMap<>();

        @Override
        public void published(List<Envelope> messages, Duration lag) {
            sent.addAndGet(messages.size());
        }

        @Override
        public void failed(Envelope message, int attempts, String error) {
            failed.incrementAndGet();
        }

        @Override
        public void paused(String destination, String reason, boolean misconfigured) {
            paused.put(destination, reason);
        }

        @Override
        public void resumed(String destination) {
            paused.remove(destination);
        }
    }
}
