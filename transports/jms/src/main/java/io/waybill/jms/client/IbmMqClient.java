package io.waybill.jms.client;

import static java.util.stream.Collectors.joining;

import com.ibm.mq.MQException;
import com.ibm.mq.MQQueueManager;
import com.ibm.mq.constants.CMQC;
import com.ibm.mq.jakarta.jms.MQConnectionFactory;
import com.ibm.msg.client.jakarta.wmq.WMQConstants;
import io.waybill.WaybillException;
import jakarta.jms.JMSException;
import java.util.Hashtable;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that touches classes of IBM MQ: compiled against its client, and not run against a queue manager. */
public final class IbmMqClient {

    /** The exception with a reason code, linked to those of JMS. */
    static final String EXCEPTION = "com.ibm.mq.MQException";

    private static final Logger log = LoggerFactory.getLogger(IbmMqClient.class);

    private IbmMqClient() {}

    public static JmsEndpoint at(IbmMqSettings settings) {
        return new JmsEndpoint(
                settings.toString(),
                "Are host and port right, is the listener up, and does the channel ask for TLS (cipher-suite)?",
                JmsProduct.IBM_MQ,
                factory(settings),
                () -> {},
                queue -> backoutThreshold(settings, queue));
    }

    private static MQConnectionFactory factory(IbmMqSettings settings) {
        var factory = new MQConnectionFactory();
        try {
            factory.setTransportType(WMQConstants.WMQ_CM_CLIENT);
            factory.setConnectionNameList(connectionNames(settings));
            factory.setQueueManager(settings.qmgr());
            factory.setChannel(settings.channel());
            factory.setAppName("waybill");
            if (!settings.cipherSuite().isEmpty()) {
                factory.setSSLCipherSuite(settings.cipherSuite());
            }
            if (!settings.user().isEmpty()) {
                factory.setStringProperty(WMQConstants.USERID, settings.user());
                factory.setStringProperty(WMQConstants.PASSWORD, settings.password());
                factory.setBooleanProperty(WMQConstants.USER_AUTHENTICATION_MQCSP, true);
            }
            return factory;
        } catch (JMSException e) {
            throw new WaybillException(
                    "The client of IBM MQ does not take these settings (" + settings + "): " + JmsFault.line(e), e);
        }
    }

    private static String connectionNames(IbmMqSettings settings) {
        return settings.hosts().stream()
                .map(host -> host(host) + "(" + port(host) + ")")
                .collect(joining(","));
    }

    private static String host(String address) {
        int colon = address.lastIndexOf(':');
        return colon < 0 ? address : address.substring(0, colon);
    }

    private static int port(String address) {
        int colon = address.lastIndexOf(':');
        return colon < 0 ? IbmMqSettings.DEFAULT_PORT : Integer.parseInt(address.substring(colon + 1));
    }

    /** Asked with the classes for Java, because JMS cannot ask. Without the right to ask there is no warning, and nothing else changes. */
    private static OptionalInt backoutThreshold(IbmMqSettings settings, String queue) {
        try {
            var manager = new MQQueueManager(settings.qmgr(), connectionProperties(settings));
            try {
                int[] threshold = new int[1];
                manager.accessQueue(queue, CMQC.MQOO_INQUIRE)
                        .inquire(new int[] {CMQC.MQIA_BACKOUT_THRESHOLD}, threshold, new char[0]);
                return OptionalInt.of(threshold[0]);
            } finally {
                manager.disconnect();
            }
        } catch (MQException e) {
            log.debug("The backout threshold of {} is not known: {}", queue, e.getMessage());
            return OptionalInt.empty();
        }
    }

    @SuppressWarnings("JdkObsolete") // What the client takes.
    private static Hashtable<String, Object> connectionProperties(IbmMqSettings settings) {
        String first = settings.hosts().get(0);
        var properties = new Hashtable<String, Object>();
        properties.put(CMQC.TRANSPORT_PROPERTY, CMQC.TRANSPORT_MQSERIES_CLIENT);
        properties.put(CMQC.HOST_NAME_PROPERTY, host(first));
        properties.put(CMQC.PORT_PROPERTY, port(first));
        properties.put(CMQC.CHANNEL_PROPERTY, settings.channel());
        if (!settings.user().isEmpty()) {
            properties.put(CMQC.USER_ID_PROPERTY, settings.user());
            properties.put(CMQC.PASSWORD_PROPERTY, settings.password());
            properties.put(CMQC.USE_MQCSP_AUTHENTICATION_PROPERTY, true);
        }
        if (!settings.cipherSuite().isEmpty()) {
            properties.put(CMQC.SSL_CIPHER_SUITE_PROPERTY, settings.cipherSuite());
        }
        return properties;
    }

    /** Nothing where the connection has to tell: if it still works, it was the message. */
    static Optional<JmsFault> fault(Throwable e) {
        return switch (((MQException) e).getReason()) {
            case CMQC.MQRC_UNKNOWN_OBJECT_NAME,
                    CMQC.MQRC_UNKNOWN_OBJECT_Q_MGR,
                    CMQC.MQRC_UNKNOWN_REMOTE_Q_MGR,
                    CMQC.MQRC_UNKNOWN_ALIAS_BASE_Q,
                    CMQC.MQRC_UNKNOWN_CHANNEL_NAME,
                    CMQC.MQRC_Q_MGR_NAME_ERROR,
                    CMQC.MQRC_NOT_AUTHORIZED,
                    CMQC.MQRC_PUT_INHIBITED,
                    CMQC.MQRC_GET_INHIBITED,
                    CMQC.MQRC_SSL_INITIALIZATION_ERROR,
                    CMQC.MQRC_UNSUPPORTED_CIPHER_SUITE -> Optional.of(JmsFault.MISCONFIGURED);
            // The last: a batch is larger than MAXUMSGS. What was before it is committed, and the rest comes with the
            // next batch.
            case CMQC.MQRC_Q_FULL,
                    CMQC.MQRC_Q_SPACE_NOT_AVAILABLE,
                    CMQC.MQRC_PAGESET_FULL,
                    CMQC.MQRC_RESOURCE_PROBLEM,
                    CMQC.MQRC_STORAGE_NOT_AVAILABLE,
                    CMQC.MQRC_OBJECT_IN_USE,
                    CMQC.MQRC_SYNCPOINT_LIMIT_REACHED -> Optional.of(JmsFault.UNAVAILABLE);
            case CMQC.MQRC_CONNECTION_BROKEN,
                    CMQC.MQRC_HCONN_ERROR,
                    CMQC.MQRC_Q_MGR_NOT_AVAILABLE,
                    CMQC.MQRC_Q_MGR_QUIESCING,
                    CMQC.MQRC_Q_MGR_STOPPING,
                    CMQC.MQRC_CONNECTION_QUIESCING,
                    CMQC.MQRC_CONNECTION_STOPPING,
                    CMQC.MQRC_CHANNEL_NOT_AVAILABLE,
                    CMQC.MQRC_HOST_NOT_AVAILABLE,
                    CMQC.MQRC_CHANNEL_CONFIG_ERROR,
                    CMQC.MQRC_BACKED_OUT -> Optional.of(JmsFault.BROKEN);
            default -> Optional.empty();
        };
    }
}
