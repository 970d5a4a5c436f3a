package io.waybill.benchmarks.drain;

import io.waybill.Time;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Patience;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import java.sql.SQLException;
import java.time.Duration;

/** One relay that drains a table of somebody else's design to a sink. */
public final class LayoutDrain implements Drain {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final BenchmarkDatabase database;
    private final LayoutTable table;
    private final Sink sink = new AcceptingSink();
    private final Relay relay;

    private LayoutDrain(BenchmarkDatabase database, LayoutTable table) {
        this.database = database;
        this.table = table;
        AdoptedTable open =
                AdoptedTable.open(database.pool(), table.layout, AdoptedTable.Setup.EVERYTHING, Time.system());
        this.relay = new Relay(
                open.outboxStore(),
                open.leaseStore(),
                Routes.of(Route.of("**", sink)),
                RelayOptions.DEFAULT,
                Time.system(),
                RelayListener.NONE);
        relay.runOnce();
    }

    public static Factory of(LayoutTable table) {
        return database -> new LayoutDrain(database, table);
    }

    @Override
    public void fill(int messages) throws SQLException {
        table.fill(database, messages);
    }

    @Override
    public long drain(int messages) {
        var deadline = Patience.in(LONGEST);
        while (!sink.hasAll(messages)) {
            relay.runOnce();
            deadline.check(() -> sink.accepted() + " of " + messages + " messages were accepted");
        }
        return sink.accepted();
    }

    @Override
    public void close() {
        relay.close();
    }
}
