package io.waybill.jms.client;

import io.waybill.WaybillException;
import io.waybill.transport.TransportUrl;
import java.util.List;

/**
 * Where a queue manager of IBM MQ is, and who we are there. Its text never shows the password.
 *
 * @param hosts each as {@code mq1} or {@code mq1:1414}: several for one queue manager that may run here or there
 * @param qmgr the queue manager; empty for whichever answers
 * @param channel a server-connection channel
 * @param user empty for the user of this process
 * @param cipherSuite for TLS, as the channel's SSLCIPH has it; empty for none
 */
public record IbmMqSettings(
        List<String> hosts, String qmgr, String channel, String user, String password, String cipherSuite) {

    static final int DEFAULT_PORT = 1414;

    public IbmMqSettings {
        hosts = List.copyOf(hosts);
        if (hosts.isEmpty() || channel.isBlank()) {
            throw new WaybillException("IBM MQ needs a host (" + hosts + ") and a server-connection channel ('"
                    + channel + "'), for example localhost:1414 and DEV.APP.SVRCONN.");
        }
        hosts.forEach(host -> TransportUrl.hostsIn(host, host));
    }

    public static IbmMqSettings at(String host, int port, String qmgr, String channel) {
        return new IbmMqSettings(List.of(host + ":" + port), qmgr, channel, "", "", "");
    }

    public IbmMqSettings user(String user, String password) {
        return new IbmMqSettings(hosts, qmgr, channel, user, password, cipherSuite);
    }

    /** TLS with this cipher suite, and the key stores of the JVM ({@code javax.net.ssl.trustStore}). */
    public IbmMqSettings cipherSuite(String cipherSuite) {
        return new IbmMqSettings(hosts, qmgr, channel, user, password, cipherSuite);
    }

    @Override
    public String toString() {
        return "IBM MQ at " + String.join(",", hosts) + (qmgr.isEmpty() ? "" : ", queue manager " + qmgr) + ", channel "
                + channel;
    }
}
