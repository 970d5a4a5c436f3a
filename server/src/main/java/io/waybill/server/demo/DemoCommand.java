package io.waybill.server.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.server.cli.Shutdown;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description = {
            "Run payments on a database in memory, with the console, and break them by keys.",
            "",
            "It writes nothing to disk and listens on this machine only."
        },
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {

    private static final Duration NO_LIMIT = Duration.ofDays(365);
    private static final int LARGEST_PORT = 65_535;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--tour", description = "Show the way of one message in words instead, and end.")
    private boolean tour;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port of the console (8686, or a free one if that is taken); 0 takes a free one.")
    private @Nullable Integer port;

    @Option(names = "--seconds", paramLabel = "N", description = "End after so many seconds.")
    private @Nullable Integer seconds;

    @Option(names = "--quiet", description = "Print no status lines.")
    private boolean quiet;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (tour) {
            walk(out);
        } else {
            check();
            run(out);
        }
        return 0;
    }

    private void check() {
        if (port != null && (port < 0 || port > LARGEST_PORT)) {
            throw new ParameterException(
                    spec.commandLine(), "--port is " + port + ", but ports are 0 to " + LARGEST_PORT + ".");
        }
        if (seconds != null && seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds is " + seconds + ", but must be at least 1.");
        }
    }

    private static void walk(PrintWriter out) throws Exception {
        try (var demo = Tour.start(out)) {
            demo.introduce();
            demo.placeOrder();
            demo.deliverAgain();
            demo.placeOrderThatFails();
            demo.summarize();
        }
    }

    private void run(PrintWriter out) throws Exception {
        withoutStackTraces();
        var shutdown = Shutdown.hook();
        try (var demo = PaymentsDemo.start(out, shutdown, port)) {
            demo.introduce();
            demo.run(seconds == null ? NO_LIMIT : Duration.ofSeconds(seconds), quiet);
            demo.summarize();
        } finally {
            shutdown.ended();
        }
    }

    /** The log has the stack trace of each failure, and would bury the keys. The console shows it with its message. */
    private static void withoutStackTraces() {
        if (LoggerFactory.getLogger("io.waybill.inbox.receive") instanceof Logger logger) {
            logger.setLevel(Level.ERROR);
        }
    }
}
