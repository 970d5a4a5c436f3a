package io.waybill.testkit.services.broker;

import io.waybill.testkit.services.host.FreePort;
import io.waybill.testkit.services.host.TempDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.BrokerModel;

/** Qpid Broker-J in this JVM, with everything in memory and one user: guest. */
final class QpidBroker {

    /**
     * Three things are easily got wrong: the configuration of the virtual host is a string that holds JSON; the port finds the
     * virtual host "/" through an alias only; PLAIN is reserved for TLS unless the provider says otherwise.
     */
    private static final String CONFIGURATION = """
            {
              "name": "waybill",
              "modelVersion": "$modelVersion",
              "authenticationproviders": [ {
                "name": "plain",
                "type": "Plain",
                "secureOnlyMechanisms": [],
                "users": [ { "name": "guest", "type": "managed", "password": "guest" } ]
              } ],
              "ports": [ {
                "name": "AMQP",
                "type": "AMQP",
                "bindingAddress": "127.0.0.1",
                "port": $port,
                "protocols": [ "AMQP_0_9_1" ],
                "authenticationProvider": "plain",
                "virtualhostaliases": [ { "name": "default", "type": "defaultAlias" } ]
              } ],
              "virtualhostnodes": [ {
                "name": "default",
                "type": "Memory",
                "defaultVirtualHostNode": "true",
                "virtualHostInitialConfiguration": "{ \\"type\\": \\"Memory\\" }"
              } ]
            }
            """;

    private final Path directory;
    private final int port = FreePort.next();
    private final SystemLauncher launcher = new SystemLauncher();

    private QpidBroker(Path directory) throws Exception {
        this.directory = directory;
        Path configuration = directory.resolve("initial-config.json");
        Files.writeString(
                configuration,
                CONFIGURATION
                        .replace("$modelVersion", BrokerModel.MODEL_VERSION)
                        .replace("$port", Integer.toString(port)));
        launcher.startup(Map.of(
                "type",
                "Memory",
                "initialConfigurationLocation",
                configuration.toUri().toString(),
                "startupLoggedToSystemOut",
                "false",
                "context",
                Map.of("qpid.work_dir", directory.toString())));
        Rabbit.connect(url()).close();
    }

    static QpidBroker start() {
        Path directory = TempDirectory.create("qpid");
        try {
            return new QpidBroker(directory);
        } catch (Exception e) {
            TempDirectory.delete(directory);
            throw new IllegalStateException("Qpid in this JVM: " + e, e);
        }
    }

    String url() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    void stop() {
        launcher.shutdown();
        TempDirectory.delete(directory);
    }
}
