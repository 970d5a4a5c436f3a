package io.waybill.transport;

import io.waybill.WaybillException;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Opens a transport by its URL. */
public final class Transports {

    /** Which module has the schemes that core does not have, for those who forgot it. */
    private static final Map<String, String> MODULES = Map.of(
            "kafka", "waybill-kafka",
            "amqp", "waybill-rabbitmq",
            "amqps", "waybill-rabbitmq",
            "jms+artemis", "waybill-jms",
            "jms+ibmmq", "waybill-jms",
            "webhook+http", "waybill-webhook",
            "webhook+https", "waybill-webhook");

    /** Not a transport: a route by this URL leads to handlers in the same process. */
    public static final String LOCAL = "local";

    private Transports() {}

    public static Transport open(String url) {
        return open(TransportUrl.parse(url));
    }

    public static Transport open(TransportUrl given) {
        TransportUrl url = given.resolved(System::getenv);
        for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
            if (provider.schemes().contains(url.scheme())) {
                return provider.open(url);
            }
        }
        if (url.scheme().equals(LOCAL)) {
            throw new WaybillException("local: means the handlers of the application's own process, and there are none"
                    + " here. Give the URL of a broker, stdout: or file:PATH.");
        }
        String module = MODULES.get(url.scheme());
        throw new WaybillException("Nothing here opens " + url + ": "
                + (module == null
                        ? "the schemes are " + String.join(", ", known()) + "."
                        : "add io.waybill:" + module + " to the class path."));
    }

    /** Opens what messages can be received from. */
    public static Broker openBroker(String url) {
        Transport transport = open(url);
        if (transport instanceof Broker broker) {
            return broker;
        }
        transport.close();
        throw new WaybillException("Messages can be sent to " + TransportUrl.withoutPassword(url)
                + " but not received from there. Give the URL of a broker: kafka://, amqp://, jms+artemis:// or"
                + " jms+ibmmq://.");
    }

    private static Set<String> known() {
        var schemes = ServiceLoader.load(TransportProvider.class).stream()
                .flatMap(provider -> provider.get().schemes().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        schemes.addAll(MODULES.keySet());
        schemes.add(LOCAL);
        return schemes;
    }
}
