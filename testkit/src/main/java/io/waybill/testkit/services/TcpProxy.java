package io.waybill.testkit.services;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and a server on this machine, to cut their connections: at once, or after so many more bytes from
 * the client.
 *
 * <p><i>Threads:</i> safe.
 */
public final class TcpProxy implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong untilCut = new AtomicLong(Long.MAX_VALUE);
    private volatile boolean refusing;

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** To a port of this machine. */
    public static TcpProxy to(int port) {
        try {
            var proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
            daemon(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new IllegalStateException("No port can be opened on the loopback address.", e);
        }
    }

    public int port() {
        return server.getLocalPort();
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
        daemon(() -> pump(client, upstream, true));
        daemon(() -> pump(upstream, client, false));
    }

    private void pump(Socket from, Socket to, boolean counted) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                int allowed = counted ? allowance(read) : read;
                out.write(buffer, 0, allowed);
                out.flush();
                if (allowed < read) {
                    cut();
                }
            }
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
        cut();
    }
}
