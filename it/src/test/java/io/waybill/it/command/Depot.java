package io.waybill.it.command;

import io.waybill.command.DomainCommand;
import io.waybill.command.Retryable;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A worker's application: packs, ships and labels, and writes each effect into its ledger, in the transaction of the command. */
public final class Depot {

    private final Transactions transactions;
    private final Set<String> wasBusy = ConcurrentHashMap.newKeySet();
    private final CountDownLatch slow;

    Depot(Transactions transactions, CountDownLatch slow) {
        this.transactions = transactions;
        this.slow = slow;
    }

    /** Packs an item. */
    public record PackCommand(String item) implements DomainCommand {}

    /** Undoes that. */
    public record UnpackCommand(String item) implements DomainCommand {}

    /** Ships an item. */
    public record ShipCommand(String item) implements DomainCommand {}

    /** Has no worker until somebody starts one. */
    public record LabelCommand(String item) implements DomainCommand {}

    /** Undoes that, and has one. */
    public record UnlabelCommand(String item) implements DomainCommand {}

    /** Not now. */
    public static final class BusyException extends RuntimeException implements Retryable {
        BusyException() {
            super("not now");
        }
    }

    /** Pack, then ship. */
    static final class Dispatch implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Dispatch";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(PackCommand.class)
                    .withCompensation(UnpackCommand.class)
                    .then(ShipCommand.class)
                    .end();
        }
    }

    /** Label, which nobody does in time. */
    static final class Labelling implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Labelling";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(LabelCommand.class)
                    .withTimeout(Duration.ofMillis(500))
                    .withCompensation(UnlabelCommand.class)
                    .end();
        }
    }

    /** The same, and nothing undoes it. */
    static final class Tagging implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Tagging";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(LabelCommand.class)
                    .withTimeout(Duration.ofMillis(500))
                    .end();
        }
    }

    /** Packs what can be packed: "broken" cannot, "busy" cannot the first time, "slow" takes until the test lets it go. */
    public Map<String, Object> pack(PackCommand command) throws InterruptedException {
        if (command.item().startsWith("slow") && !slow.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody let it go");
        }
        write("pack", command.item());
        if (command.item().startsWith("broken")) {
            throw new IllegalStateException("no box for " + command.item());
        }
        if (command.item().startsWith("busy") && wasBusy.add(command.item())) {
            throw new BusyException();
        }
        return Map.of("parcel", "P-" + command.item());
    }

    public void unpack(UnpackCommand command) {
        write("unpack", command.item());
    }

    /** Ships what is not too heavy. */
    public void ship(ShipCommand command) {
        if (command.item().startsWith("heavy")) {
            throw new IllegalArgumentException(command.item() + " is too heavy");
        }
        write("ship", command.item());
    }

    public void unlabel(UnlabelCommand command) {
        write("unlabel", command.item());
    }

    private void write(String what, String item) {
        write(transactions, what, item);
    }

    private static void write(Transactions transactions, String what, String item) {
        try (var insert = transactions
                .current()
                .unwrap(Connection.class)
                .prepareStatement("INSERT INTO ledger (what, item) VALUES (?, ?)")) {
            insert.setString(1, what);
            insert.setString(2, item);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The worker for labels. */
    public static final class Labels {
        private final Transactions transactions;

        Labels(Transactions transactions) {
            this.transactions = transactions;
        }

        public void label(LabelCommand command) {
            write(transactions, "label", command.item());
        }
    }
}
