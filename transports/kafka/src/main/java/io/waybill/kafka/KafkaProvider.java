package io.waybill.kafka;

import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import io.waybill.transport.TransportProvider;
import io.waybill.transport.TransportUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * {@code kafka://user:password@host:port,host:port?tls=true&sasl=SCRAM-SHA-512&fencing=false}, and any setting of Kafka's
 * clients: {@code kafka.NAME} for all of them, {@code producer.NAME}, {@code consumer.NAME}.
 */
public final class KafkaProvider implements TransportProvider {

    private static final String SCHEME = "kafka";
    private static final int PORT = 9092;
    private static final String TLS = "tls";
    private static final String SASL = "sasl";
    private static final String FENCING = "fencing";
    private static final String ALL = "kafka.";
    private static final String PRODUCER = "producer.";
    private static final String CONSUMER = "consumer.";
    private static final List<String> PREFIXES = List.of(ALL, PRODUCER, CONSUMER);

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public Kafka open(TransportUrl url) {
        check(url);
        Kafka kafka = Kafka.at(servers(url))
                .with(security(url))
                .with(settings(url, ALL))
                .withProducer(settings(url, PRODUCER))
                .withConsumer(settings(url, CONSUMER));
        return flag(url, FENCING, true) ? kafka : kafka.withoutFencing();
    }

    private static void check(TransportUrl url) {
        if (url.hosts().isEmpty() || !url.path().isEmpty()) {
            throw new WaybillException(
                    url + " is no address of Kafka. Write kafka://host:port, with commas between several.");
        }
        var known = new ArrayList<>(List.of(TLS, SASL, FENCING));
        PREFIXES.forEach(prefix -> known.add(prefix + "NAME"));
        url.parameters().keySet().stream().filter(KafkaProvider::isSetting).forEach(known::add);
        url.allowParameters(known.toArray(String[]::new));
    }

    private static boolean isSetting(String parameter) {
        return PREFIXES.stream()
                .anyMatch(prefix ->
                        parameter.startsWith(prefix) && KafkaSettings.isKnown(parameter.substring(prefix.length())));
    }

    private static String servers(TransportUrl url) {
        return String.join(
                ",",
                url.hosts().stream()
                        .map(host -> host.matches(".*:\\d+") ? host : host + ":" + PORT)
                        .toList());
    }

    private static Map<String, String> security(TransportUrl url) {
        boolean tls = flag(url, TLS, false);
        String mechanism = url.parameter(SASL, url.user().isEmpty() ? "" : "PLAIN");
        if (mechanism.isEmpty()) {
            return tls ? Map.of("security.protocol", "SSL") : Map.of();
        }
        var settings = new HashMap<String, String>();
        settings.put("security.protocol", tls ? "SASL_SSL" : "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", mechanism);
        if (!url.user().isEmpty()) {
            settings.put("sasl.jaas.config", login(mechanism, url.user(), url.password()));
        }
        return settings;
    }

    private static String login(String mechanism, String user, String password) {
        String module = mechanism.toUpperCase(Locale.ROOT).startsWith("SCRAM")
                ? "org.apache.kafka.common.security.scram.ScramLoginModule"
                : "org.apache.kafka.common.security.plain.PlainLoginModule";
        return module + " required username=" + quoted(user) + " password=" + quoted(password) + ";";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static Map<String, String> settings(TransportUrl url, String prefix) {
        var settings = new HashMap<String, String>();
        url.parameters().forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                settings.put(name.substring(prefix.length()), value);
            }
        });
        return settings;
    }

    private static boolean flag(TransportUrl url, String name, boolean otherwise) {
        String value = url.parameter(name, Boolean.toString(otherwise));
        if (!value.equals("true") && !value.equals("false")) {
            throw new WaybillException(
                    name + " of " + url + " is true or false, not '" + SecretMask.value(value) + "'.");
        }
        return Boolean.parseBoolean(value);
    }
}
