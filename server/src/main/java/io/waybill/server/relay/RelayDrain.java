package io.waybill.server.relay;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.server.config.BrokerUrl;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.database.DatabaseErrors;
import io.waybill.store.admin.DestinationStats;
import io.waybill.transport.Transport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Sends what waits now, from all sources at once, and says what became of it. */
public final class RelayDrain {

    public static final int OK = 0;
    public static final int ERROR = 1;
    public static final int PARTLY_FAILED = 3;
    public static final int UNHEALTHY = 4;

    private final RelayConfig config;
    private final Map<String, Transport> transports = new HashMap<>();

    RelayDrain(RelayConfig config) {
        this.config = config;
    }

    /** Returns the exit code. */
    int run(PrintWriter out, PrintWriter err) {
        try {
            config.served()
                    .forEach(destination -> BrokerUrl.requireQueues(
                            destination, transports.computeIfAbsent(destination.to(), BrokerUrl::open)));
            List<Result> results = drainAll();
            results.forEach(result -> result.print(out, err, results.size() > 1));
            out.flush();
            return exitCode(results);
        } finally {
            transports.values().forEach(Transport::close);
        }
    }

    private List<Result> drainAll() {
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.max(1, config.sources().size()));
        try {
            List<Future<Result>> running = config.sources().stream()
                    .map(source -> threads.submit(() -> drain(source)))
                    .toList();
            List<Result> results = new ArrayList<>();
            for (Future<Result> result : running) {
                results.add(result.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaybillException("The relay was interrupted.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Result drain(RelayConfig.Source source) {
        var outcome = new Outcome();
        Routes routes = routes(source);
        try (OpenSource open = OpenSource.of(source)) {
            String awaited;
            try (var relay =
                    new Relay(open.outboxStore(), open.leaseStore(), routes, source.relay(), Time.system(), outcome)) {
                relay.drain();
                awaited = relay.awaited();
            }
            List<DestinationStats> left = open.stats();
            outcome.paused
                    .keySet()
                    .removeIf(paused -> left.stream()
                            .noneMatch(stats ->
                                    stats.destination().equals(paused) && stats.pending() + stats.waiting() > 0));
            long unsent = left.stream()
                    .filter(stats -> routes.leadToABroker(stats.destination())
                            && !outcome.paused.containsKey(stats.destination()))
                    .mapToLong(DestinationStats::pending)
                    .sum();
            return new Result(source.name(), outcome, left, unsent, awaited, "");
        } catch (WaybillException e) {
            WaybillException explained = DatabaseErrors.explained(source.database(), e);
            return new Result(source.name(), outcome, List.of(), 0, "", String.valueOf(explained.getMessage()));
        }
    }

    private Routes routes(RelayConfig.Source source) {
        return Routes.of(config.of(source).stream()
                .map(destination ->
                        destination.route(transports.computeIfAbsent(destination.to(), BrokerUrl::open), source))
                .toArray(Route[]::new));
    }

    private static int exitCode(List<Result> results) {
        long broken =
                results.stream().filter(result -> !result.error().isEmpty()).count();
        if (broken > 0) {
            return broken == results.size() ? ERROR : PARTLY_FAILED;
        }
        if (results.stream().anyMatch(result -> !result.outcome().paused.isEmpty())) {
            return UNHEALTHY;
        }
        return results.stream().anyMatch(Result::hasFailures) ? PARTLY_FAILED : OK;
    }

    /**
     * What became of one source.
     *
     * @param unsent how many messages are left that could have been sent
     * @param awaited for whose shards the relay waits
     */
    private record Result(
            String source, Outcome outcome, List<DestinationStats> left, long unsent, String awaited, String error) {

        boolean hasFailures() {
            return unsent > 0
                    || outcome.failed.get() > 0
                    || left.stream().anyMatch(stats -> stats.waiting() > 0 || stats.failed() > 0);
        }

        void print(PrintWriter out, PrintWriter err, boolean many) {
            String name = many ? source + ": " : "";
            if (!error.isEmpty()) {
                err.println("waybill: " + name + error);
                err.flush();
                return;
            }
            out.println(name + outcome.sent + " messages sent, " + outcome.failed + " failed, "
                    + left.stream().mapToLong(DestinationStats::pending).sum() + " pending, "
                    + left.stream().mapToLong(DestinationStats::waiting).sum() + " wait for another attempt, "
                    + left.stream().mapToLong(DestinationStats::held).sum() + " are held behind them.");
            if (unsent > 0) {
                out.println(name + unsent + " messages were left"
                        + (awaited.isEmpty()
                                ? ": they were appended while it ran. Run it again."
                                : ", because " + awaited + ". Run it again after that time."));
            }
            outcome.paused.forEach(
                    (destination, reason) -> out.println(name + destination + " takes no messages: " + reason));
        }
    }

    /** What the relay of one source said. */
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
