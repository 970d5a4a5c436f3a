package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.Time;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.BatchReceiver;
import io.waybill.inbox.receive.FailAtOnce;
import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.Numbered;
import io.waybill.testkit.memory.MemoryStore;
import io.waybill.transport.SubscriptionOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker with a journal that is stopped and started while messages are received. */
class ArtemisRestartTest {

    private static final String QUEUE = "orders";
    private static final int MESSAGES = 400;

    @TempDir
    Path journal;

    private final List<String> effects = new CopyOnWriteArrayList<>();

    @Test
    void restarts_of_the_broker_lose_no_message_and_double_no_effect() throws Exception {
        int port = freePort();
        EmbeddedActiveMQ broker = start(port);
        try (Jms jms = Jms.artemis("tcp://127.0.0.1:" + port)) {
            ArtemisScenario.publish(
                    jms,
                    IntStream.range(0, MESSAGES)
                            .mapToObj(number -> Numbered.message(QUEUE, "key", number))
                            .toArray(Envelope[]::new));
            try (var subscription =
                    jms.subscribe(SubscriptionOptions.to(QUEUE, "billing").batchSize(5), receiving())) {
                for (int restart = 1; restart <= 2; restart++) {
                    int some = restart * MESSAGES / 4;
                    await().atMost(ArtemisScenario.PATIENCE).until(() -> effects.size() >= some);
                    broker.stop();
                    broker = start(port);
                }
                await().atMost(ArtemisScenario.PATIENCE).until(() -> effects.size() >= MESSAGES);
            }
        } finally {
            broker.stop();
        }
        assertThat(effects)
                .containsExactlyElementsOf(IntStream.range(0, MESSAGES)
                        .mapToObj(number ->
                                Numbered.message(QUEUE, "key", number).payload().asText())
                        .toList());
    }

    private BatchReceiver receiving() {
        var store = new MemoryStore(Time.system());
        var subscriber = Subscriber.ofText(
                "billing", received -> received.transaction().afterCommit(() -> effects.add(received.payload())));
        return new BatchReceiver(
                subscriber,
                new Inbox(store.inbox(), store, Outbox.in(store, store)),
                store.failed(),
                new FailAtOnce(store.failed(), "billing"),
                ReceivingOptions.DEFAULT,
                InboxListener.NONE);
    }

    private EmbeddedActiveMQ start(int port) throws Exception {
        var broker = new EmbeddedActiveMQ();
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setJournalDirectory(journal.resolve("journal").toString())
                .setBindingsDirectory(journal.resolve("bindings").toString())
                .setLargeMessagesDirectory(journal.resolve("large").toString())
                .setPagingDirectory(journal.resolve("paging").toString())
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .setMaxDiskUsage(-1)
                .addQueueConfiguration(QueueConfiguration.of(QUEUE).setRoutingType(RoutingType.ANYCAST))
                .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port));
        broker.start();
        return broker;
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
