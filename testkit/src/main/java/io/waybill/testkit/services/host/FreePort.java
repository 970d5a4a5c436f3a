package io.waybill.testkit.services.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A TCP port of the loopback interface that nobody listened on a moment ago. It lies below the range from which the system takes
 * ports for outgoing connections: one of those may otherwise sit on the port of a server that is down for a restart.
 */
public final class FreePort {

    private static final int LOWEST = 20_000;
    private static final int BEYOND = 32_000;
    private static final int ATTEMPTS = 100;

    private FreePort() {}

    public static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException(
                "no free port between " + LOWEST + " and " + BEYOND + " in " + ATTEMPTS + " attempts");
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
