package io.waybill.plain;

import io.waybill.Time;
import io.waybill.inbox.Handler;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.JdbcStoreOptions;
import io.waybill.jdbc.JdbcTransactions;
import io.waybill.jdbc.Signals;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.OutboxListener;
import io.waybill.observe.RelayListener;
import io.waybill.ops.Cleanup;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.RelayOptions;
import io.waybill.relay.Route;
import io.waybill.relay.Routes;
import io.waybill.store.Transactions;
import io.waybill.transport.LocalTransport;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Waybill on one database: an outbox to append to, and relays that send what was committed.
 *
 * <pre>{@code
 * var waybill = Waybill.on(dataSource).route("orders.*", publisher).start();
 * }</pre>
 *
 * <p><i>Threads:</i> safe. Closing finishes what is being sent and gives the shards to other instances.
 */
public final class Waybill implements AutoCloseable {

    private final JdbcStore store;
    private final OutboxOptions outboxOptions;
    private final LocalTransport local;
    private final List<AutoCloseable> running;

    private Waybill(JdbcStore store, OutboxOptions outboxOptions, LocalTransport local, List<AutoCloseable> running) {
        this.store = store;
        this.outboxOptions = outboxOptions;
        this.local = local;
        this.running = running;
    }

    /** Starts to describe an instance on this database. */
    public static Builder on(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** The outbox for code that runs inside {@code transactions().inTransaction(...)}. */
    public Outbox outbox() {
        return Outbox.in(store.outboxStore(), store.transactions(), outboxOptions);
    }

    /** The outbox for the transaction of this connection, which the caller commits. */
    public Outbox outbox(Connection connection) {
        return Outbox.in(store.outboxStore(), JdbcTransactions.of(connection), outboxOptions);
    }

    public Transactions transactions() {
        return store.transactions();
    }

    public JdbcStore store() {
        return store;
    }

    /** Handles messages of a destination that is routed to this process, each once. */
    public void subscribe(String destination, String handler, Handler work) {
        var inbox = new Inbox(store.inboxStore(), store.transactions());
        local.subscribe(destination, message -> inbox.receive(message, handler, work));
    }

    @Override
    public void close() {
        for (AutoCloseable part : running) {
            closeQuietly(part);
        }
    }

    private static void closeQuietly(AutoCloseable part) {
        try {
            part.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Describes an instance; {@link #start} makes it run. */
    public static final class Builder {

        private final DataSource dataSource;
        private final List<Route> routes = new ArrayList<>();
        private final List<AutoCloseable> opened = new ArrayList<>();
        private final LocalTransport local = new LocalTransport();
        private JdbcStoreOptions storeOptions = JdbcStoreOptions.DEFAULT;
        private OutboxOptions outboxOptions = OutboxOptions.DEFAULT;
        private RelayOptions relayOptions = RelayOptions.DEFAULT;
        private RelayListener listener = RelayListener.NONE;
        private int relays = 1;
        private boolean signals = true;
        private Duration cleanupInterval = Duration.ofMinutes(10);

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** Sends messages for these destinations to this broker; {@code *} does not cross a dot, {@code **} does. */
        public Builder route(String pattern, Transport transport) {
            return route(Route.of(pattern, transport));
        }

        /** The same for a publisher of one's own, which all relays share. */
        public Builder route(String pattern, Publisher publisher) {
            return route(Route.of(pattern, publisher));
        }

        /** The same by the broker's URL: {@code kafka://localhost:9092}, {@code stdout:}. It is closed with this instance. */
        public Builder route(String pattern, String url) {
            Transport transport = Transports.open(url);
            opened.add(transport);
            return route(pattern, transport);
        }

        public Builder route(Route route) {
            routes.add(route);
            return this;
        }

        /** Hands messages for these destinations to subscribers in this process. */
        public Builder routeLocally(String pattern) {
            return route(pattern, local);
        }

        /** Refuses messages for these destinations that have no partition key. */
        public Builder ordered(String pattern) {
            outboxOptions = outboxOptions.ordered(pattern);
            return this;
        }

        /** Numbers the messages of each key of these destinations, so that a receiver can tell a gap. */
        public Builder numbered(String pattern) {
            outboxOptions = outboxOptions.numbered(pattern);
            return this;
        }

        /** Writes payloads that are objects; without it the codec on the class path does. */
        public Builder codec(PayloadCodec codec) {
            outboxOptions = outboxOptions.codec(codec);
            return this;
        }

        /** How long dispatched messages are kept: a week by default, zero removes them as they are sent. */
        public Builder retention(Duration retention) {
            storeOptions = storeOptions.withRetention(retention);
            return this;
        }

        /** How often messages whose retention is over are removed, while relays run here: every ten minutes by default. */
        public Builder cleanupEvery(Duration interval) {
            cleanupInterval = interval;
            return this;
        }

        public Builder tablePrefix(String prefix) {
            storeOptions = storeOptions.withPrefix(prefix);
            return this;
        }

        public Builder relay(RelayOptions options) {
            relayOptions = options;
            return this;
        }

        /** How many relays run in this process, each on a thread of its own: one by default, zero only appends. */
        public Builder relays(int count) {
            relays = count;
            return this;
        }

        /** Is told what was appended; what is appended on a connection that the caller commits is not told. */
        public Builder outboxListener(OutboxListener listener) {
            outboxOptions = outboxOptions.listener(listener);
            return this;
        }

        /** Is told what the relays do. */
        public Builder listener(RelayListener listener) {
            this.listener = listener;
            return this;
        }

        /** Without signals, relays in other processes find a message with their next sweep (PostgreSQL only has signals). */
        public Builder withoutSignals() {
            signals = false;
            return this;
        }

        /** Creates or checks the tables, and starts the relays. */
        public Waybill start() {
            JdbcStore store =
                    JdbcStore.on(dataSource, storeOptions, Time.system()).initializeSchema();
            List<RelayLoop> loops = new ArrayList<>();
            for (int i = 0; i < relays; i++) {
                loops.add(loop(store));
            }
            List<AutoCloseable> running = new ArrayList<>(loops);
            Optional<Signals> toOthers = signals ? store.signals() : Optional.empty();
            toOthers.ifPresent(running::add);
            if (relays > 0) {
                toOthers.ifPresent(others -> others.listen(() -> loops.forEach(RelayLoop::wake)));
            }
            if (relays > 0 && !storeOptions.retention().isZero()) {
                running.add(
                        Housekeeping.start(new Cleanup(store.cleanup()), storeOptions.retention(), cleanupInterval));
            }
            running.addAll(opened);
            Runnable wake = () -> {
                loops.forEach(RelayLoop::wake);
                toOthers.ifPresent(Signals::send);
            };
            return new Waybill(store, outboxOptions.wake(wake), local, running);
        }

        private RelayLoop loop(JdbcStore store) {
            var relay = new Relay(
                    store.outboxStore(),
                    store.leaseStore(),
                    Routes.of(routes.toArray(Route[]::new)),
                    relayOptions,
                    Time.system(),
                    listener);
            return RelayLoop.start(relay, relayOptions);
        }
    }
}
