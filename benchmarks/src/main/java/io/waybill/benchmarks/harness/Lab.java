package io.waybill.benchmarks.harness;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.testkit.services.database.Postgres;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;

/**
 * Where benchmarks are run: a server, what was asked for, and somebody who wants to know how far it is.
 *
 * @param loadBefore the machine's load average before anything was measured
 */
public record Lab(Postgres server, BenchmarkSettings settings, PrintWriter progress, double loadBefore) {

    public static Lab with(Postgres server, BenchmarkSettings settings, PrintWriter progress) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return new Lab(server, settings, progress, load);
    }

    /** An empty database with a pool of its own. */
    public BenchmarkDatabase newDatabase() {
        return new BenchmarkDatabase(server.newDatabase());
    }

    public Rounds rounds() {
        return new Rounds(settings.warmUp(), settings.rounds(), progress);
    }
}
