package io.waybill.rabbitmq;

import io.waybill.rabbitmq.connection.AmqpUrl;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportProvider;
import io.waybill.transport.TransportUrl;
import java.util.Set;

/** Opens {@code amqp://user:password@host:port/vhost?…}, and {@code amqps} with TLS. */
public final class RabbitMqProvider implements TransportProvider {

    @Override
    public Set<String> schemes() {
        return Set.of(AmqpUrl.PLAIN, AmqpUrl.TLS);
    }

    @Override
    public Transport open(TransportUrl url) {
        return RabbitMq.at(url);
    }
}
