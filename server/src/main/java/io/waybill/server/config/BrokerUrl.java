package io.waybill.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.waybill.WaybillException;
import io.waybill.jms.Jms;
import io.waybill.transport.SecretMask;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens brokers by their URLs. */
public final class BrokerUrl {

    private BrokerUrl() {}

    /** Reads what is kept in files and in the environment, remembers what must not be shown, and opens it. */
    public static Transport open(String url) {
        TransportUrl given = TransportUrl.parse(url);
        SecretMask.remember(given);
        TransportUrl resolved = given.resolved(System::getenv);
        SecretMask.remember(resolved);
        return Transports.open(resolved);
    }

    /**
     * Looks for the queues that the destination requires. A broker that is away is no reason not to start: messages wait.
     *
     * @throws WaybillException that names those that are missing, with what would define them
     */
    public static void requireQueues(RelayConfig.Destination destination, Transport transport) {
        if (!destination.requiredQueues().isEmpty() && transport instanceof Jms broker) {
            broker.requireQueuesIfReachable(destination.requiredQueues());
        }
    }

    /** Differs when the content of a file with a secret of this URL does. */
    public static int secretsOf(String url) {
        int hash = 0;
        try {
            for (Path file : TransportUrl.parse(url).secretFiles()) {
                hash = 31 * hash + new String(Files.readAllBytes(file), ISO_8859_1).hashCode();
            }
        } catch (IOException | WaybillException e) {
            return hash;
        }
        return hash;
    }
}
