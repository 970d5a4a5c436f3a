package com.acme.examples;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka node in this JVM, broker and controller in one, for an example that is tried where no broker runs. */
final class KafkaNode implements AutoCloseable {

    private final Path directory;
    private final String address;
    private final KafkaRaftServer server;

    private KafkaNode(Path directory) throws Exception {
        this.directory = directory;
        this.address = "127.0.0.1:" + freePort();
        format();
        this.server = new KafkaRaftServer(new KafkaConfig(settings("127.0.0.1:" + freePort())), Time.SYSTEM);
        server.startup();
    }

    static KafkaNode start() throws Exception {
        return new KafkaNode(Files.createTempDirectory("waybill-example-kafka"));
    }

    String address() {
        return address;
    }

    private void format() throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(1)
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(directory.toString())
                .addDirectory(directory.toString())
                .run();
    }

    private Map<String, String> settings(String controller) {
        return Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller,
                "controller.listener.names", "CONTROLLER",
                "controller.quorum.voters", "1@" + controller,
                "log.dir", directory.toString(),
                "offsets.topic.num.partitions", "1",
                "offsets.topic.replication.factor", "1",
                "group.initial.rebalance.delay.ms", "0");
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        server.shutdown();
        server.awaitShutdown();
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
