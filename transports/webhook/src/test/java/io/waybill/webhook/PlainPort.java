package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** A port that hears the first words of whoever connects, gives one answer to all of them, and hangs up. */
final class PlainPort implements AutoCloseable {

    private final ServerSocket socket;
    private final String answer;

    PlainPort(ServerSocket socket, String answer) {
        this.socket = socket;
        this.answer = answer;
        var thread = new Thread(this::serve, "plain-port");
        thread.setDaemon(true);
        thread.start();
    }

    static PlainPort answering(String answer) throws IOException {
        return new PlainPort(new ServerSocket(0), answer);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                int heard = client.getInputStream().read(new byte[16_384]);
                if (heard > 0) {
                    client.getOutputStream().write(answer.getBytes(UTF_8));
                }
            } catch (IOException e) {
                // It was closed, or the client said what is not understood here.
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
