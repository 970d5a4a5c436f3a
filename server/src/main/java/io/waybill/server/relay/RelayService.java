package io.waybill.server.relay;

import io.waybill.WaybillException;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.server.config.BrokerUrl;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.database.ClearText;
import io.waybill.transport.SecretMask;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains many sources to many destinations. What is served may be changed while it runs; what did not change goes on untouched.
 *
 * <p><i>Threads:</i> safe. How it is can be asked at any time, and waits for nothing; changes and the end of it are made one after the other.
 */
public final class RelayService implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RelayService.class);

    /** Below the 30 seconds that the shipped manifests, and Kubernetes by default, give a process to end. */
    static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    private final Duration stopTimeout;
    private final ReentrantLock changing = new ReentrantLock();
    private final Map<String, Opened> transports = new HashMap<>();
    private volatile Map<Assignment, SourceRunner> running = Map.of();
    private final Set<String> warned = new HashSet<>();
    private volatile String refusedFile = "";
    private final ServiceMeters meters = new ServiceMeters(() -> !refusedFile.isEmpty());
    private volatile boolean closing;

    /**
     * A source and where its messages go.
     *
     * @param secrets what is in the files with the secrets of the destinations, as a number: when that changes, they are opened anew
     */
    private record Assignment(
            RelayConfig.Source source, List<RelayConfig.Destination> destinations, List<Integer> secrets) {}

    /** A broker that is open, with the secrets it was opened with. */
    private record Opened(Transport transport, int secrets) {}

    RelayService() {
        this(STOP_TIMEOUT);
    }

    public RelayService(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
    }

    public static RelayService start(RelayConfig config) {
        var service = new RelayService();
        service.serve(config);
        return service;
    }

    /** Serves this from now on. Transports are opened first: when one cannot be, everything stays as it was. */
    public void serve(RelayConfig config) {
        changing.lock();
        try {
            List<Assignment> wanted = config.sources().stream()
                    .map(source -> assignment(source, config.of(source)))
                    .toList();
            Map<String, Opened> outdated = openAll(config);
            warnOfClearText(config);
            Map<Assignment, SourceRunner> next = new LinkedHashMap<>(running);
            next.keySet().retainAll(wanted);
            Map<Assignment, SourceRunner> over = new LinkedHashMap<>(running);
            over.keySet().removeAll(wanted);
            stop(over.values(), stopTimeout);
            running = inOrder(next);
            for (Assignment assignment : wanted) {
                if (!closing && !next.containsKey(assignment)) {
                    next.put(assignment, start(assignment));
                }
            }
            running = inOrder(next);
            meters.retain(wanted.stream().map(one -> one.source().name()).collect(Collectors.toSet()));
            close(outdated.values(), stopTimeout);
            closeUnused(config);
        } finally {
            changing.unlock();
        }
    }

    private SourceRunner start(Assignment assignment) {
        return SourceRunner.start(
                assignment.source(),
                routes(assignment),
                meters.of(assignment.source().name()));
    }

    private static Map<Assignment, SourceRunner> inOrder(Map<Assignment, SourceRunner> runners) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(runners));
    }

    /** All of them at once; what has not stopped by then is left behind. */
    private static void stop(Collection<SourceRunner> runners, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        runners.forEach(SourceRunner::stop);
        runners.forEach(runner -> runner.await(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
    }

    private static Assignment assignment(RelayConfig.Source source, List<RelayConfig.Destination> destinations) {
        return new Assignment(
                source,
                destinations,
                destinations.stream()
                        .map(destination -> BrokerUrl.secretsOf(destination.to()))
                        .toList());
    }

    /** Returns those that were open with other secrets, to be closed when nobody uses them any more. */
    private Map<String, Opened> openAll(RelayConfig config) {
        Map<String, Opened> opened = new HashMap<>();
        try {
            var problems = new TreeSet<String>();
            config.served().forEach(destination -> {
                try {
                    open(destination, opened);
                } catch (WaybillException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            });
            if (!problems.isEmpty()) {
                throw new WaybillException(String.join("\n", problems));
            }
        } catch (RuntimeException | Error e) {
            opened.values().forEach(one -> closeQuietly(one.transport()));
            throw e;
        }
        Map<String, Opened> outdated = new HashMap<>(transports);
        outdated.keySet().retainAll(opened.keySet());
        transports.putAll(opened);
        return outdated;
    }

    private void open(RelayConfig.Destination destination, Map<String, Opened> opened) {
        Opened known = transports.get(destination.to());
        Opened used = known != null && known.secrets() == BrokerUrl.secretsOf(destination.to())
                ? known
                : opened.computeIfAbsent(destination.to(), RelayService::open);
        BrokerUrl.requireQueues(destination, used.transport());
    }

    private static Opened open(String url) {
        int secrets = BrokerUrl.secretsOf(url);
        return new Opened(BrokerUrl.open(url), secrets);
    }

    private void warnOfClearText(RelayConfig config) {
        Stream.concat(
                        config.sources().stream().map(source -> ClearText.of(source.database())),
                        config.served().stream().map(one -> ClearText.of(TransportUrl.parse(one.to()))))
                .flatMap(Optional::stream)
                .filter(warned::add)
                .forEach(warning -> log.warn("WB-130 {}", warning));
    }

    private void closeUnused(RelayConfig config) {
        Set<String> used =
                config.served().stream().map(RelayConfig.Destination::to).collect(Collectors.toSet());
        Set<String> unused = new HashSet<>(transports.keySet());
        unused.removeAll(used);
        close(unused.stream().map(transports::remove).toList(), stopTimeout);
    }

    /** A broker that does not answer must not keep the others waiting. */
    private static void close(Collection<Opened> opened, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        List<Thread> closers = opened.stream()
                .map(one -> {
                    var closer = new Thread(() -> closeQuietly(one.transport()), "waybill-close");
                    closer.setDaemon(true);
                    closer.start();
                    return closer;
                })
                .toList();
        try {
            for (Thread closer : closers) {
                TimeUnit.NANOSECONDS.timedJoin(closer, Math.max(1, end - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(Transport transport) {
        try {
            transport.close();
        } catch (RuntimeException | Error e) {
            log.debug("A transport could not be closed.", e);
        }
    }

    private Routes routes(Assignment assignment) {
        return Routes.of(assignment.destinations().stream()
                .map(destination -> {
                    Opened opened = transports.get(destination.to());
                    if (opened == null) {
                        throw new IllegalStateException("A destination is not open.");
                    }
                    return destination.route(opened.transport(), assignment.source());
                })
                .toArray(Route[]::new));
    }

    /** Why the last file is not used; empty when it is. */
    public void refuse(String why) {
        refusedFile = why;
    }

    /** What is counted, in the text format of Prometheus. */
    public String metrics() {
        return meters.text();
    }

    /** What is counted. */
    ServiceMeters meters() {
        return meters;
    }

    /** What is wrong now: sources that cannot be read, and a file that is not used, each with the reason. */
    public Map<String, String> problems() {
        Map<String, String> problems = new LinkedHashMap<>();
        running.forEach((assignment, runner) -> {
            String problem = runner.problem();
            if (!problem.isEmpty()) {
                problems.put(assignment.source().name(), SecretMask.text(problem));
            }
        });
        if (!refusedFile.isEmpty()) {
            problems.put("configuration", SecretMask.text(refusedFile));
        }
        return problems;
    }

    /** What relays wait for besides destinations, by source: shards of others, sources that do not answer. */
    Map<String, String> waiting() {
        Map<String, String> waiting = new LinkedHashMap<>();
        running.forEach((assignment, runner) -> {
            String all = runner.waiting().stream()
                    .filter(item -> item.kind() != WaitingItem.Kind.DESTINATION)
                    .map(WaitingItem::text)
                    .collect(Collectors.joining(" "));
            if (!all.isEmpty()) {
                waiting.put(assignment.source().name(), SecretMask.text(all));
            }
        });
        return waiting;
    }

    /** The destinations that are away, set up wrongly or refuse messages: since when, the last error, and what ends it. */
    Map<String, String> destinations() {
        Map<String, String> destinations = new LinkedHashMap<>();
        running.forEach((assignment, runner) -> runner.waiting().stream()
                .filter(item -> item.kind() == WaitingItem.Kind.DESTINATION)
                .forEach(item -> destinations.merge(
                        assignment.source().name() + ": " + item.name(),
                        SecretMask.text(item.text()),
                        (one, other) -> one + " " + other)));
        return destinations;
    }

    /** Whether at least one source can be read: one that is away must not take the others down with it. */
    public boolean isReady() {
        return !closing
                && running.values().stream().anyMatch(runner -> runner.problem().isEmpty());
    }

    /** Whether a restart would help nobody: some source is at work, or waits for its database. */
    public boolean isAlive() {
        return running.isEmpty() || running.values().stream().anyMatch(SourceRunner::isAlive);
    }

    /** Finishes what is being sent, of all sources at once, and is through after the stop timeout whatever hangs. */
    @Override
    public void close() {
        long end = System.nanoTime() + stopTimeout.toNanos();
        closing = true;
        running.values().forEach(SourceRunner::stop);
        try {
            // A change that is under way starts nothing more, and may have started something meanwhile.
            if (changing.tryLock(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                try {
                    stop(running.values(), Duration.ofNanos(Math.max(0, end - System.nanoTime())));
                    close(transports.values(), Duration.ofNanos(Math.max(0, end - System.nanoTime())));
                    transports.clear();
                    running = Map.of();
                } finally {
                    changing.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
