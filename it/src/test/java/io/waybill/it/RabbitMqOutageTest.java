package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.ConnectionFactory;
import io.waybill.rabbitmq.RabbitMq;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.Numbered;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Deadline;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that is away for several rounds, behind a queue that drops what is delivered more than twice. */
class RabbitMqOutageTest {

    private final String queue = "outage-" + UUID.randomUUID();

    @Test
    void nothing_is_lost_doubled_or_reordered_and_the_pause_is_visible() throws Exception {
        Rabbit rabbit = Rabbit.shared();
        assumeTrue(rabbit.isRabbitMq(), "NOT TESTED: Qpid has no delivery limit");
        declare(rabbit.url());
        Postgres postgres = Postgres.shared();
        try (TestDatabase database = postgres.newDatabase();
                TcpProxy proxy = TcpProxy.to(postgres.port());
                Waybill waybill = Waybill.on(through(database, postgres.port(), proxy.port()))
                        .start()) {
            execute(database, "CREATE TABLE effect (id SERIAL PRIMARY KEY, number BIGINT NOT NULL)");
            waybill.subscribe(
                    rabbit.url() + "?single-active-consumer=true",
                    SubscriptionOptions.to(queue, "billing").batchSize(20),
                    String.class,
                    received -> {
                        try (var insert =
                                received.connection().prepareStatement("INSERT INTO effect (number) VALUES (?)")) {
                            insert.setLong(1, Numbered.number(received.message()));
                            insert.executeUpdate();
                        }
                    });
            proxy.refuse();
            publish(rabbit.url());
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !waybill.subscriptionProblems().isEmpty());
            await().during(Duration.ofSeconds(3))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !waybill.subscriptionProblems().isEmpty());
            proxy.restore();
            await().atMost(Duration.ofSeconds(60)).until(() -> effects(database).size() >= 200);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> waybill.subscriptionProblems().isEmpty());
            assertThat(effects(database))
                    .isEqualTo(IntStream.range(0, 200).mapToObj(Long::valueOf).toList());
        }
    }

    private void declare(String url) throws Exception {
        var factory = new ConnectionFactory();
        factory.setUri(url);
        try (var connection = factory.newConnection();
                var channel = connection.createChannel()) {
            channel.queueDeclare(
                    queue,
                    true,
                    false,
                    false,
                    Map.of("x-queue-type", "quorum", "x-single-active-consumer", true, "x-delivery-limit", 1));
        }
    }

    private void publish(String url) {
        try (RabbitMq rabbit = RabbitMq.at(url);
                var publisher = rabbit.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(Numbered.messages(queue, 1, 0, 200), Deadline.NEVER))
                    .containsOnly(Numbered.ACCEPTED);
        }
    }

    private static DataSource through(TestDatabase database, int port, int proxy) {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(database.jdbcUrl().replace(":" + port + "/", ":" + proxy + "/"));
        dataSource.setUser(database.user());
        dataSource.setPassword(database.password());
        return dataSource;
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<Long> effects(TestDatabase database) throws SQLException {
        var numbers = new ArrayList<Long>();
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT number FROM effect ORDER BY id")) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }
}
