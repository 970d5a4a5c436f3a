package io.waybill.console.http;

import io.waybill.WaybillException;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers HTTP/1.1, one request for each connection. One thread reads and writes for all clients and waits for none; a request that has
 * arrived as a whole is handled by one of a few others.
 *
 * <p>A client that is too slow, sends too much, or is one too many, is cut off.
 */
public final class ConsoleServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConsoleServer.class);

    private static final int MAX_CLIENTS = 500;
    /** A request without a body, or with a small one, is read however much the others send. */
    private static final int SMALL_REQUEST_BYTES = 16 * 1024;

    private static final long MAX_BUFFERED_BYTES = 32L * 1024 * 1024;
    private static final long MAX_REQUEST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long MAX_CLIENT_NANOS = Duration.ofSeconds(60).toNanos();
    /** A client closes the connection when it has read the answer; one that does not is not waited for. */
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

    private static final int THREADS = 8;
    private static final int MAX_QUEUED = 100;

    private final ServerSocketChannel server;
    private final Selector selector;
    private final Function<ConsoleRequest, ConsoleResponse> handler;
    private final ExecutorService workers;
    private final Thread thread;
    private final Map<SocketChannel, Client> clients = new HashMap<>();
    private final Queue<Runnable> answered = new ConcurrentLinkedQueue<>();
    private final ByteBuffer reading = ByteBuffer.allocate(64 * 1024);
    private long buffered;

    private ConsoleServer(
            String name,
            ServerSocketChannel server,
            Selector selector,
            Function<ConsoleRequest, ConsoleResponse> handler) {
        this.server = server;
        this.selector = selector;
        this.handler = handler;
        var number = new AtomicInteger();
        var pool = new ThreadPoolExecutor(
                THREADS, THREADS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(MAX_QUEUED), work -> {
                    var worker = new Thread(work, name + "-" + number.incrementAndGet());
                    worker.setDaemon(true);
                    return worker;
                });
        pool.allowCoreThreadTimeOut(true);
        this.workers = pool;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /** A connection: what has come so far, then what goes back. */
    private static final class Client {
        private final long since = System.nanoTime();
        private long deadline = since + MAX_REQUEST_NANOS;
        private ByteArrayOutputStream request = new ByteArrayOutputStream();
        private @Nullable HttpHead head;
        private boolean complete;
        private boolean refused;
        private @Nullable ByteBuffer answer;
        private boolean ending;
    }

    /** Begins to listen; port 0 takes one that is free. */
    public static ConsoleServer start(InetSocketAddress address, Function<ConsoleRequest, ConsoleResponse> handler) {
        return start("waybill-console", address, handler);
    }

    /** The same, with threads of this name. */
    public static ConsoleServer start(
            String name, InetSocketAddress address, Function<ConsoleRequest, ConsoleResponse> handler) {
        try {
            var server = ServerSocketChannel.open();
            try {
                server.bind(address);
                server.configureBlocking(false);
                var selector = Selector.open();
                server.register(selector, SelectionKey.OP_ACCEPT);
                var started = new ConsoleServer(name, server, selector, handler);
                started.thread.start();
                return started;
            } catch (IOException | RuntimeException e) {
                server.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            throw new WaybillException(
                    "Could not listen on " + address + ": " + e.getMessage() + ". Give another address or port.", e);
        }
    }

    public int port() {
        return server.socket().getLocalPort();
    }

    private void run() {
        while (server.isOpen()) {
            try {
                selector.select(this::ready, TimeUnit.SECONDS.toMillis(1));
                for (Runnable next = answered.poll(); next != null; next = answered.poll()) {
                    next.run();
                }
                cutOff();
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                log.debug("A request failed.", e);
            }
        }
    }

    private void ready(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
                return;
            }
            var channel = (SocketChannel) key.channel();
            Client client = clients.get(channel);
            if (client == null) {
                end(channel);
            } else if (key.isWritable()) {
                write(channel, client);
            } else if (client.complete) {
                discard(channel);
            } else {
                read(channel, client);
            }
        } catch (IOException | RuntimeException e) {
            if (key.channel() instanceof SocketChannel client) {
                end(client);
            }
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = server.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            clients.put(channel, new Client());
        }
    }

    private void read(SocketChannel channel, Client client) throws IOException {
        reading.clear();
        int size = channel.read(reading);
        if (size < 0) {
            end(channel);
            return;
        }
        client.request.write(reading.array(), 0, size);
        buffered += size;
        try {
            if (buffered > MAX_BUFFERED_BYTES && client.request.size() > SMALL_REQUEST_BYTES) {
                throw new HttpHead.Refused(503, "Too much is being received. Try again.");
            }
            HttpHead head = client.head;
            if (head == null) {
                head = head(client).orElse(null);
                client.head = head;
            }
            if (head != null && client.request.size() >= head.length() + head.bodyBytes()) {
                client.complete = true;
                client.deadline = client.since + MAX_CLIENT_NANOS;
                handle(channel, head.request(client.request.toByteArray(), address(channel)), client);
            }
        } catch (HttpHead.Refused e) {
            client.complete = true;
            client.refused = true;
            answer(channel, client, HttpText.refusal(e.status, String.valueOf(e.getMessage())));
        }
    }

    private static Optional<HttpHead> head(Client client) throws HttpHead.Refused {
        Optional<HttpHead> head = HttpHead.parse(client.request.toByteArray(), client.request.size());
        if (head.isPresent() && head.get().bodyBytes() > ConsoleRequest.MAX_BODY_BYTES) {
            throw new HttpHead.Refused(413, "The body has more than " + ConsoleRequest.MAX_BODY_BYTES + " bytes.");
        }
        return head;
    }

    private static String address(SocketChannel channel) throws IOException {
        return channel.getRemoteAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress()
                : "";
    }

    private void handle(SocketChannel channel, ConsoleRequest request, Client client) {
        interest(channel, 0);
        try {
            workers.execute(() -> {
                ByteBuffer answer = answer(request);
                answered.add(() -> answer(channel, client, answer));
                selector.wakeup();
            });
        } catch (RejectedExecutionException e) {
            answer(channel, client, HttpText.refusal(503, "Too many requests at once. Try again."));
        }
    }

    private ByteBuffer answer(ConsoleRequest request) {
        try {
            return HttpText.of(handler.apply(request), request.method().equals("HEAD"));
        } catch (RuntimeException | Error e) {
            log.error("WB-650 The console could not process {} {}.", request.method(), request.path(), e);
            return HttpText.refusal(500, "It failed; the log of the console says why.");
        }
    }

    private void answer(SocketChannel channel, Client client, ByteBuffer answer) {
        if (clients.get(channel) == client) {
            release(client);
            client.answer = answer;
            interest(channel, SelectionKey.OP_WRITE);
        }
    }

    private void interest(SocketChannel channel, int operations) {
        SelectionKey key = channel.keyFor(selector);
        if (key != null && key.isValid()) {
            key.interestOps(operations);
        }
    }

    private void write(SocketChannel channel, Client client) throws IOException {
        ByteBuffer answer = client.answer;
        if (answer != null) {
            channel.write(answer);
            if (!answer.hasRemaining() && !client.ending) {
                // What is still coming is read, or the client would see a reset instead of the answer.
                client.ending = true;
                if (!client.refused) {
                    client.deadline = Math.min(client.deadline, System.nanoTime() + LINGER_NANOS);
                }
                channel.shutdownOutput();
                interest(channel, SelectionKey.OP_READ);
            }
        }
    }

    private void discard(SocketChannel channel) throws IOException {
        reading.clear();
        if (channel.read(reading) < 0) {
            end(channel);
        }
    }

    /** Those that have had their time, and the oldest when there are too many. */
    private void cutOff() {
        long now = System.nanoTime();
        int tooMany = clients.size() - MAX_CLIENTS;
        List<Map.Entry<SocketChannel, Client>> byAge = clients.entrySet().stream()
                .sorted(Map.Entry.comparingByValue((one, other) -> Long.compare(one.since, other.since)))
                .toList();
        for (var client : byAge) {
            if (tooMany-- > 0 || now - client.getValue().deadline > 0) {
                end(client.getKey());
            }
        }
    }

    private void end(SocketChannel channel) {
        Client client = clients.remove(channel);
        if (client != null) {
            release(client);
        }
        try {
            channel.close();
        } catch (IOException e) {
            log.debug("The connection of a client could not be closed.", e);
        }
    }

    /** What was received is not needed any more. */
    private void release(Client client) {
        buffered -= client.request.size();
        client.request = new ByteArrayOutputStream(0);
    }

    @Override
    public void close() {
        try {
            server.close();
            selector.close();
            thread.join(TimeUnit.SECONDS.toMillis(1));
        } catch (IOException e) {
            log.debug("The port of the console could not be closed.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        workers.shutdownNow();
        clients.keySet().stream().toList().forEach(this::end);
    }
}
