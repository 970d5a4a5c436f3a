package io.waybill.testkit.services.broker;

import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Apart from {@link Artemis}, because this class cannot even be linked without the library. */
final class ArtemisBroker {

    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    private final ActiveMQConnectionFactory connectionFactory;

    /** Queues are made as somebody uses them only when {@code autoCreate} says so. */
    ArtemisBroker(String url, String vmUrl, boolean autoCreate) throws Exception {
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                // Not used, but the default is looked for in a native library.
                .setJournalType(JournalType.NIO)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                // Without this a disk that is nearly full blocks every producer.
                .setMaxDiskUsage(-1)
                .addAddressSetting(
                        "#",
                        new AddressSettings().setAutoCreateAddresses(autoCreate).setAutoCreateQueues(autoCreate))
                .addAcceptorConfiguration("tcp", url)
                .addAcceptorConfiguration("vm", vmUrl));
        broker.start();
        connectionFactory = new ActiveMQConnectionFactory(url);
    }

    ConnectionFactory connectionFactory() {
        return connectionFactory;
    }

    void createQueue(String name) throws Exception {
        broker.getActiveMQServer()
                .createQueue(QueueConfiguration.of(name)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setAutoCreateAddress(true));
    }

    void start() throws Exception {
        broker.start();
    }

    void stop() throws Exception {
        connectionFactory.close();
        broker.stop();
    }
}
