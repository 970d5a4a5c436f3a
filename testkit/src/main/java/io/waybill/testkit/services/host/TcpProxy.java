package io.waybill.testkit.services.host;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * Stands between a client and a server on this machine, to cut their connections: at once, or after so many more bytes from
 * the client; or to hold back what the client sends, so that it arrives late.
 *
 * <p><i>Threads:</i> safe.
 */
public final class TcpProxy implements AutoCloseable {

    /** Hands on what the server answers. */
    @FunctionalInterface
    public interface Answers {
        void copy(InputStream from, OutputStream to) throws IOException;
    }

    private final ServerSocket server;
    private volatile int target;
    private final Answers answers;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong untilCut = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong held = new AtomicLong();
    private volatile boolean refusing;
    private volatile boolean losing;
    private volatile CountDownLatch released = new CountDownLatch(0);

    private TcpProxy(ServerSocket server, int target, Answers answers) {
        this.server = server;
        this.target = target;
        this.answers = answers;
    }

    /** To a port of this machine. */
    public static TcpProxy to(int port) {
        return to(port, here -> InputStream::transferTo);
    }

    /** To a port of this machine, with a way to change what comes back from there. */
    public static TcpProxy to(int port, IntFunction<Answers> answersThroughPort) {
        try {
            var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            var proxy = new TcpProxy(socket, port, answersThroughPort.apply(socket.getLocalPort()));
            daemon(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new IllegalStateException("No port can be opened on the loopback address.", e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Leads new connections to another port of this machine. */
    public void leadTo(int port) {
        target = port;
    }

    /** Cuts every connection now. New ones are accepted, unless {@link #refuse} was said. */
    public void cut() {
        untilCut.set(Long.MAX_VALUE);
        open.forEach(TcpProxy::close);
    }

    /** Cuts every connection once the clients have sent so many bytes more, in the middle of whatever that is. */
    public void cutAfter(long bytes) {
        untilCut.set(bytes);
    }

    /** Cuts every connection as soon as the server answers anything: what it was asked for is done, and nobody hears of it. */
    public void loseTheNextAnswer() {
        losing = true;
    }

    /** Whether a cut that was asked for is still to come. */
    public boolean isCutting() {
        return untilCut.get() != Long.MAX_VALUE;
    }

    /** Cuts every connection and takes no new ones until {@link #restore}. */
    public void refuse() {
        refusing = true;
        cut();
    }

    public void restore() {
        refusing = false;
    }

    /** Holds back what clients send, until {@link #release}: it arrives then, even when the client is gone. */
    public void hold() {
        released = new CountDownLatch(1);
    }

    /** How many bytes are held back. */
    public long held() {
        return held.get();
    }

    public void release() {
        released.countDown();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                if (refusing) {
                    client.close();
                } else {
                    connect(client);
                }
            }
        } catch (IOException e) {
            // The proxy was closed.
        }
    }

    private void connect(Socket client) throws IOException {
        Socket upstream;
        try {
            upstream = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            client.close();
            return;
        }
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        open.add(client);
        open.add(upstream);
        daemon(() -> pump(client, upstream, this::request));
        daemon(() -> pump(upstream, client, (in, out) -> answers.copy(in, losable(out))));
    }

    private void request(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[8192];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            awaitRelease(read);
            int allowed = allowance(read);
            out.write(buffer, 0, allowed);
            out.flush();
            if (allowed < read) {
                cut();
            }
        }
    }

    private OutputStream losable(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                if (losing) {
                    losing = false;
                    cut();
                }
                out.write(bytes, from, count);
            }
        };
    }

    private void awaitRelease(int bytes) {
        held.addAndGet(bytes);
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            held.addAndGet(-bytes);
        }
    }

    private void pump(Socket from, Socket to, Answers way) {
        try {
            way.copy(from.getInputStream(), to.getOutputStream());
        } catch (IOException e) {
            // One of the two is gone: so is the other.
        } finally {
            open.remove(from);
            open.remove(to);
            close(from);
            close(to);
        }
    }

    private int allowance(int read) {
        long before = untilCut.getAndUpdate(left -> left == Long.MAX_VALUE ? left : Math.max(0, left - read));
        return (int) Math.min(before, read);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        release();
        cut();
    }
}
