package io.waybill.it.crash;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import io.waybill.testkit.process.simulation.RandomProcess;
import io.waybill.testkit.process.simulation.RandomProcess.UndoWorkCommand;
import io.waybill.testkit.process.simulation.RandomProcess.WorkCommand;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * An application as a process of its own: it starts one instance of each of so many random processes, or finds it, and goes on with all
 * of them, one step per commit or several. Its handlers write to a ledger, and then fail at random, or take longer than their step may.
 */
final class ProcessesMain {

    private ProcessesMain() {}

    public static void main(String[] arguments) throws IOException {
        int processes = Integer.parseInt(arguments[3]);
        var config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setUsername(arguments[1]);
        config.setPassword(arguments[2]);
        config.setMaximumPoolSize(12);
        Waybill waybill = Waybill.on(new HikariDataSource(config))
                .handlers(Ledger::new)
                .processes(definitions(processes))
                .relay(RelayOptions.DEFAULT
                        .withHandlers(8)
                        .withMessagesPerCommit(Integer.parseInt(arguments[4]))
                        .withLeaseTime(Duration.ofSeconds(2))
                        .withSweepInterval(Duration.ofMillis(100)))
                .start();
        for (int seed = 1; seed <= processes; seed++) {
            waybill.processManager().startProcess("Random" + seed, about(seed), data(seed));
        }
        // The parent's end of the pipe closes when it is gone, however it went.
        while (System.in.read() >= 0) {
            // Nothing is ever said.
        }
        Runtime.getRuntime().halt(0);
    }

    static ProcessConfiguration[] definitions(int processes) {
        return IntStream.rangeClosed(1, processes).mapToObj(RandomProcess::of).toArray(ProcessConfiguration[]::new);
    }

    static String about(int seed) {
        return "order-" + seed;
    }

    private static Map<String, Object> data(int seed) {
        var random = new Random(seed);
        var data = new HashMap<String, Object>(Map.of(RandomProcess.ABOUT, about(seed)));
        for (int i = 0; i < 60; i++) {
            data.put("flag" + i, random.nextBoolean());
        }
        return data;
    }

    /** The application's rows, written in the transaction of the command. */
    public static final class Ledger {

        private final Transactions transactions;

        Ledger(Transactions transactions) {
            this.transactions = transactions;
        }

        public void work(WorkCommand command) {
            write(command.about(), command.step(), 1);
            int fate = ThreadLocalRandom.current().nextInt(100);
            if (fate < 3) {
                throw new IllegalStateException("refused for good");
            } else if (fate < 12) {
                throw new IllegalStateException("a timeout of somebody else");
            } else if (fate < 15) {
                LockSupport.parkNanos(Duration.ofMillis(1_500).toNanos());
            }
        }

        public void undo(UndoWorkCommand command) {
            write(command.about(), command.step(), -1);
            if (ThreadLocalRandom.current().nextInt(100) < 10) {
                throw new IllegalStateException("cannot be undone now");
            }
        }

        private void write(String about, String step, int amount) {
            try (var insert = transactions
                    .current()
                    .unwrap(Connection.class)
                    .prepareStatement("INSERT INTO ledger (about, step, amount) VALUES (?, ?, ?)")) {
                insert.setString(1, about);
                insert.setString(2, step);
                insert.setInt(3, amount);
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
