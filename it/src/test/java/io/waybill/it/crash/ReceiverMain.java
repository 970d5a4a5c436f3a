package io.waybill.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.Time;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.BatchReceiver;
import io.waybill.inbox.receive.FailAtOnce;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.observe.InboxListener;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A receiver as a process of its own: takes batches from a {@link DeliveryServer} and acknowledges each with a byte. */
public final class ReceiverMain {

    private ReceiverMain() {}

    public static void main(String[] arguments) throws IOException {
        var config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setUsername(arguments[1]);
        config.setPassword(arguments[2]);
        config.setMaximumPoolSize(2);
        var idle = arguments.length > 4
                ? Duration.ofSeconds(Long.parseLong(arguments[4]))
                : JdbcStoreOptions.DEFAULT.receivingIdleTimeout();
        BatchReceiver receiving = receiving(JdbcStore.on(
                new HikariDataSource(config), JdbcStoreOptions.DEFAULT.withReceivingIdleTimeout(idle), Time.system()));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[3]));
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            for (List<Delivery> batch = batch(in); !batch.isEmpty(); batch = batch(in)) {
                receiving.receive(batch);
                socket.getOutputStream().write('A');
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static BatchReceiver receiving(JdbcStore store) {
        var subscriber = Subscriber.ofText("billing", received -> {
            try (var insert = received.connection().prepareStatement("INSERT INTO effect (number) VALUES (?)")) {
                insert.setInt(1, Integer.parseInt(received.payload()));
                insert.executeUpdate();
            }
        });
        return new BatchReceiver(
                subscriber,
                new Inbox(store.inboxStore(), store.transactions(), store.outbox()),
                store.failedStore(),
                new FailAtOnce(store.failedStore(), "billing"),
                ReceivingOptions.DEFAULT,
                InboxListener.NONE);
    }

    /** Lines of an id and a number, up to an empty one. */
    private static List<Delivery> batch(BufferedReader in) throws IOException {
        List<Delivery> batch = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            String[] parts = line.split(" ", -1);
            var message = new WireMessage(Map.of(Headers.MESSAGE_ID, parts[0]), parts[1].getBytes(UTF_8));
            batch.add(new Delivery("orders", "", "", message));
        }
        return batch;
    }
}
