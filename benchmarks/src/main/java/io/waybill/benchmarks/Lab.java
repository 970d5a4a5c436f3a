package io.waybill.benchmarks;

import io.waybill.testkit.services.database.Postgres;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;

/**
 * Where benchmarks are run: a server, what was asked for, and somebody who wants to know how far it is.
 *
 * @param loadBefore the machine's load average before anything was measured
 */
record Lab(Postgres server, Settings settings, PrintWriter progress, double loadBefore) {

    static Lab with(Postgres server, Settings settings, PrintWriter progress) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return new Lab(server, settings, progress, load);
    }

    /** An empty database with a pool of its own. */
    Database newDatabase() {
        return new Database(server.newDatabase());
    }

    Rounds rounds() {
        return new Rounds(settings.warmUp(), settings.rounds(), progress);
    }
}
