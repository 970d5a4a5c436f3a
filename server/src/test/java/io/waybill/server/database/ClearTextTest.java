package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.transport.TransportUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClearTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://app:s3cret@db/shop",
                "postgresql://app:s3cret@127.example.com/shop",
                "postgresql://app:s3cret@db/shop?sslmode=prefer",
                "mariadb://app:s3cret@10.0.0.1:3306/shop",
                "jdbc:postgresql://localhost:5432,db2:5432/shop?user=app&password=s3cret",
                "jdbc:postgresql://127.0.0.1,db2/shop?user=app&password=s3cret",
                "jdbc:mariadb:replication://localhost,db2/shop?user=app&password=s3cret",
                "jdbc:mariadb://address=(host=db2)(port=3306)/shop?user=app&password=s3cret",
                "jdbc:h2:tcp://db/shop;USER=sa;PASSWORD=s3cret"
            })
    void a_password_for_a_database_elsewhere_is_warned_of(String url) {
        assertThat(ClearText.of(DatabaseUrl.parse(url)))
                .get()
                .asString()
                .contains("may travel over a connection without TLS")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://app@db/shop",
                "postgresql://app:s3cret@localhost/shop",
                "postgresql://app:s3cret@127.0.0.2:5432/shop",
                "postgresql://app:s3cret@[::1]:5432/shop",
                "postgresql://app:s3cret@db/shop?sslmode=verify-full",
                "mariadb://app:s3cret@db/shop?sslMode=verify-ca",
                "jdbc:mariadb://address=(host=localhost)(port=3306)/shop?user=app&password=s3cret",
                "jdbc:h2:mem:shop;PASSWORD=s3cret",
                "jdbc:h2:ssl://db/shop;USER=sa;PASSWORD=s3cret"
            })
    void one_that_stays_here_or_is_encrypted_is_not(String url) {
        assertThat(ClearText.of(DatabaseUrl.parse(url))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://app:s3cret@rabbit",
                "amqp://app@rabbit?password-file=/run/secrets/rabbit",
                "kafka://app:s3cret@localhost:9092,kafka2:9092",
                "jms+artemis://app:s3cret@mq:61616",
                "jms+ibmmq://app:s3cret@mq:1414/QM1?channel=C"
            })
    void a_password_for_a_broker_elsewhere_is_warned_of(String url) {
        assertThat(ClearText.of(TransportUrl.parse(url)))
                .get()
                .asString()
                .contains("travels over a connection without TLS")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://rabbit",
                "amqps://app:s3cret@rabbit",
                "amqp://app:s3cret@localhost",
                "kafka://app:s3cret@kafka:9092?tls=true",
                "jms+artemis://app:s3cret@[::1]:61616",
                "webhook+https://hooks.example.com/in?secret-file=/run/secrets/hook"
            })
    void one_of_a_broker_here_or_over_tls_is_not(String url) {
        assertThat(ClearText.of(TransportUrl.parse(url))).isEmpty();
    }
}
