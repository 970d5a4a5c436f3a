package io.waybill.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** A broker that delivers every message twice, in any order, and once more when a receiver ends without acknowledging. */
public final class DeliveryServer implements AutoCloseable {

    private static final int BATCH = 20;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Deque<String> queue = new ArrayDeque<>();
    private int unacknowledged;
    private int redelivered;

    public DeliveryServer(int messages, Random random) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            String line = UUID.randomUUID() + " " + i;
            lines.add(line);
            lines.add(line);
        }
        Collections.shuffle(lines, random);
        queue.addAll(lines);
        daemon(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public synchronized int left() {
        return queue.size() + unacknowledged;
    }

    public synchronized int redelivered() {
        return redelivered;
    }

    private void accept() {
        try {
            while (true) {
                Socket receiver = server.accept();
                daemon(() -> deliver(receiver));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void deliver(Socket receiver) {
        List<String> batch = take();
        while (!batch.isEmpty()) {
            boolean acknowledged = isAcknowledged(receiver, batch);
            settle(batch, acknowledged);
            if (!acknowledged) {
                return;
            }
            batch = take();
        }
    }

    private static boolean isAcknowledged(Socket receiver, List<String> batch) {
        try {
            receiver.getOutputStream().write((String.join("\n", batch) + "\n\n").getBytes(UTF_8));
            return receiver.getInputStream().read() == 'A';
        } catch (IOException e) {
            return false;
        }
    }

    private synchronized List<String> take() {
        List<String> batch = new ArrayList<>();
        while (batch.size() < BATCH && !queue.isEmpty()) {
            batch.add(queue.poll());
        }
        unacknowledged += batch.size();
        return batch;
    }

    private synchronized void settle(List<String> batch, boolean acknowledged) {
        unacknowledged -= batch.size();
        if (!acknowledged) {
            redelivered += batch.size();
            queue.addAll(batch);
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "delivery-server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
