package io.waybill.server;

import io.waybill.WaybillException;
import io.waybill.relay.Route;
import io.waybill.relay.Routes;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Drains many sources to many destinations. What is served may be changed while it runs; what did not change goes on untouched. */
final class RelayService implements AutoCloseable {

    private final Map<Assignment, SourceRunner> running = new LinkedHashMap<>();
    private final Map<String, Transport> transports = new HashMap<>();

    /** A source and where its messages go. */
    private record Assignment(RelayConfig.Source source, List<RelayConfig.Destination> destinations) {}

    static RelayService start(RelayConfig config) {
        var service = new RelayService();
        service.serve(config);
        return service;
    }

    /** Serves this from now on. Transports are opened first: when one cannot be, everything stays as it was. */
    synchronized void serve(RelayConfig config) {
        List<Assignment> wanted = config.sources().stream()
                .map(source -> new Assignment(source, config.of(source)))
                .toList();
        openAll(config);
        List<Assignment> over = running.keySet().stream()
                .filter(assignment -> !wanted.contains(assignment))
                .toList();
        over.forEach(assignment -> runner(assignment).stop());
        over.forEach(assignment -> {
            runner(assignment).close();
            running.remove(assignment);
        });
        for (Assignment assignment : wanted) {
            if (!running.containsKey(assignment)) {
                running.put(assignment, SourceRunner.start(assignment.source(), routes(assignment)));
            }
        }
        closeUnused(config);
    }

    private SourceRunner runner(Assignment assignment) {
        SourceRunner runner = running.get(assignment);
        if (runner == null) {
            throw new IllegalStateException(assignment + " does not run");
        }
        return runner;
    }

    private void openAll(RelayConfig config) {
        Map<String, Transport> opened = new HashMap<>();
        try {
            config.served().forEach(destination -> {
                Transport known = transports.get(destination.to());
                destination.check(known != null ? known : opened.computeIfAbsent(destination.to(), Transports::open));
            });
        } catch (WaybillException e) {
            opened.values().forEach(Transport::close);
            throw e;
        }
        transports.putAll(opened);
    }

    private void closeUnused(RelayConfig config) {
        Set<String> used =
                config.served().stream().map(RelayConfig.Destination::to).collect(Collectors.toSet());
        Set<String> unused = new HashSet<>(transports.keySet());
        unused.removeAll(used);
        unused.forEach(url -> {
            Transport transport = transports.remove(url);
            if (transport != null) {
                transport.close();
            }
        });
    }

    private Routes routes(Assignment assignment) {
        return Routes.of(assignment.destinations().stream()
                .map(destination -> {
                    Transport transport = transports.get(destination.to());
                    if (transport == null) {
                        throw new IllegalStateException(destination.to() + " is not open");
                    }
                    return destination.route(transport, assignment.source());
                })
                .toArray(Route[]::new));
    }

    /** The sources that cannot be read now, and why. */
    synchronized Map<String, String> problems() {
        Map<String, String> problems = new LinkedHashMap<>();
        running.forEach((assignment, runner) -> {
            if (!runner.problem().isEmpty()) {
                problems.put(assignment.source().name(), runner.problem());
            }
        });
        return problems;
    }

    /** Whether at least one source can be read: one that is away must not take the others down with it. */
    synchronized boolean isReady() {
        return running.values().stream().anyMatch(runner -> runner.problem().isEmpty());
    }

    /** Whether a restart would help nobody: some source is at work, or waits for its database. */
    synchronized boolean isAlive() {
        return running.isEmpty() || running.values().stream().anyMatch(SourceRunner::isAlive);
    }

    @Override
    public synchronized void close() {
        running.values().forEach(SourceRunner::stop);
        running.values().forEach(SourceRunner::close);
        running.clear();
        transports.values().forEach(Transport::close);
        transports.clear();
    }
}
