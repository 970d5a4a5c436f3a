package com.acme.guide;

import io.waybill.Backoff;
import io.waybill.jms.Jms;
import io.waybill.jms.client.IbmMqSettings;
import io.waybill.jms.client.QueueNames;
import io.waybill.kafka.Kafka;
import io.waybill.rabbitmq.RabbitMq;
import io.waybill.rabbitmq.connection.RabbitMqOptions;
import io.waybill.runtime.Waybill;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.Receiver;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import io.waybill.webhook.Webhooks;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;

/** docs/transports. */
@SuppressWarnings("unused")
final class TransportsGuide {

    void routes(DataSource dataSource) {
        Waybill.on(dataSource)
                .route("audit.*", "local:")
                .route("orders.*", "kafka://localhost:9092", route -> route.format(WireFormat.CLOUDEVENTS_BINARY))
                .route(
                        "hooks.*",
                        "webhook+https://shop.example/{destination}?secret-env=HOOKS",
                        route -> route.maxAttempts(20)
                                .backoff(new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(10), 0.1))
                                .onExhausted(OnExhausted.SKIP))
                .route("**", "amqp://localhost");
    }

    void kafka(Receiver receiver) {
        var kafka = Kafka.at("localhost:9092");
        var secured = Kafka.at("broker:9093")
                .with(Map.of("security.protocol", "SSL"))
                .withProducer(Map.of("compression.type", "lz4"))
                .withConsumer(Map.of("fetch.max.wait.ms", "100"));

        kafka.subscribe(SubscriptionOptions.to("orders.placed", "billing").concurrency(4), receiver);
    }

    void jms(String password, jakarta.jms.ConnectionFactory connectionFactory) {
        var artemis = Jms.artemis("tcp://localhost:61616", "app", password);
        var mq = Jms.ibmMq(IbmMqSettings.at("mq.example.com", 1414, "QM1", "DEV.APP.SVRCONN")
                        .user("app", password))
                .withQueueNames(new QueueNames("APP.CMD", "Q"))
                .requireQueues("CreateOrder", "Reply");
        var own = Jms.with(connectionFactory);
    }

    void rabbitMq(com.rabbitmq.client.ConnectionFactory myConnectionFactory) {
        var byUrl = RabbitMq.at("amqp://user:password@host:5672/vhost");
        var own = RabbitMq.with(myConnectionFactory, RabbitMqOptions.DEFAULT.exchange("events"));
        var configured = Transports.open("amqps://user:password@host/vhost?exchange=events");
    }

    void webhook(String secret, String newSecret, String oldSecret) {
        Webhooks webhooks = Webhooks.builder()
                .endpoint("orders.*", "https://shop.example/hooks", secret)
                .endpoint("bills.**", "https://bills.example/hooks/{destination}", newSecret, oldSecret)
                .rate(50)
                .build();
    }
}
