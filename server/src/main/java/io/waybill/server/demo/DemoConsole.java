package io.waybill.server.demo;

import io.waybill.WaybillException;
import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.server.cli.Operator;
import io.waybill.server.config.ConsoleSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The console of the demo's database, on this machine only. */
final class DemoConsole implements AutoCloseable {

    private static final String DATABASE = "demo";

    private final ConsoleServer server;

    private DemoConsole(ConsoleServer server) {
        this.server = server;
    }

    /**
     * Begins to serve.
     *
     * @param port none for the usual one, or a free one if that is taken
     */
    static DemoConsole start(JdbcStore store, @Nullable Integer port) {
        var options = ConsoleOptions.of(List.of(ConsoleDatabase.of(DATABASE, "H2 in memory", store)))
                .local(new Identity(Operator.name(), Role.ADMIN));
        var console = new Console(options);
        if (port != null) {
            return new DemoConsole(ConsoleServer.start(at(port), console::answer));
        }
        try {
            return new DemoConsole(ConsoleServer.start(ConsoleSettings.DEFAULT.address(), console::answer));
        } catch (WaybillException taken) {
            return new DemoConsole(ConsoleServer.start(at(0), console::answer));
        }
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Where a browser finds it. */
    String url() {
        return "http://127.0.0.1:" + server.port() + "/";
    }

    @Override
    public void close() {
        server.close();
    }
}
