package io.waybill.kafka;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.transport.Broker;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka cluster.
 *
 * <pre>{@code
 * Kafka.at("localhost:9092")
 * Kafka.at("broker-1:9093,broker-2:9093").with(Map.of("security.protocol", "SSL"))
 * }</pre>
 *
 * <p>A destination is the name of a topic, which must exist. What one key was accepted of is always a prefix of what was given,
 * and a relay that others took over from can add nothing to it: see {@link #fence}.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Kafka implements Broker {

    /** One id after the other is fenced, and an open transaction is aborted first. */
    private static final int FENCING_MILLIS = 30_000;

    private final KafkaSettings settings;
    private final boolean fencing;
    private @Nullable Admin admin;

    private Kafka(KafkaSettings settings, boolean fencing) {
        this.settings = settings;
        this.fencing = fencing;
    }

    /** The cluster that is found at these addresses: {@code host:port}, several with commas between them. */
    public static Kafka at(String bootstrapServers) {
        List<String> hosts = TransportUrl.hostsIn(bootstrapServers, bootstrapServers);
        return new Kafka(KafkaSettings.of(String.join(",", hosts)), true);
    }

    /** The same with settings of Kafka's own, by their names there, for everything that connects. */
    public Kafka with(Map<String, String> more) {
        return new Kafka(settings.with(more), fencing);
    }

    /** The same with settings of Kafka's producer. Those that the order stands on are refused. */
    public Kafka withProducer(Map<String, String> more) {
        return new Kafka(settings.withProducer(more), fencing);
    }

    /** The same with settings of Kafka's consumer. Those that say what is acknowledged are refused. */
    public Kafka withConsumer(Map<String, String> more) {
        return new Kafka(settings.withConsumer(more), fencing);
    }

    /**
     * The same without transactions: publishing is faster and needs no right to a transactional id, but the one request that a
     * frozen relay had under way may still arrive after another has taken over, and repeat what was sent since.
     */
    public Kafka withoutFencing() {
        return new Kafka(settings, false);
    }

    @Override
    public Publisher publisher(String relay, WireFormat format) {
        var producer = fencing
                ? OrderedProducer.ofRelay(relay, settings, Time.system())
                : OrderedProducer.unfenced(settings, Time.system());
        return new KafkaPublisher(topics(), producer, settings, format);
    }

    /**
     * Makes the broker refuse whatever the publishers of this relay have under way, and aborts what they had not completed.
     *
     * @throws WaybillException when the cluster cannot be asked; nothing may be sent in the place of that relay until it can
     */
    @Override
    public void fence(String relay) {
        if (!fencing) {
            return;
        }
        try {
            List<String> theirs = admin().listTransactions().all().get().stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> TransactionalIds.isOf(relay, id))
                    .toList();
            admin().fenceProducers(theirs, new FenceProducersOptions().timeoutMs(FENCING_MILLIS))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new WaybillException(
                    "What relay '" + relay + "' may still send to " + settings + " cannot be stopped: "
                            + Verdicts.text(e.getCause()),
                    e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public Subscription subscribe(SubscriptionOptions options, Receiver receiver) {
        topics().resolve(List.of(options.source()))
                .forEach((topic, found) -> found.orElseThrow(problem -> new WaybillException(
                        "'" + options.group() + "' cannot receive from '" + topic + "': " + problem)));
        return KafkaSubscription.start(settings.consumer(options), options, receiver, Time.system());
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close();
            admin = null;
        }
    }

    @Override
    public String toString() {
        return settings.toString();
    }

    KafkaSettings settings() {
        return settings;
    }

    private Topics topics() {
        return new Topics(this::admin, settings.toString(), Time.system());
    }

    private synchronized Admin admin() {
        if (admin == null) {
            admin = Admin.create(settings.admin());
        }
        return admin;
    }
}
