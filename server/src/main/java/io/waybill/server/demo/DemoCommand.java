package io.waybill.server.demo;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description = {
            "Show the way of a message, on a database in memory.",
            "",
            "It writes nothing to disk and opens no port."
        },
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--keep-running", description = "Add an order every two seconds until Ctrl-C.")
    private boolean keepRunning;

    @Override
    public Integer call() throws Exception {
        try (var demo = Demo.start(spec.commandLine().getOut())) {
            demo.introduce();
            demo.placeOrder();
            demo.deliverAgain();
            demo.placeOrderThatFails();
            demo.summarize();
            if (keepRunning) {
                keepOrdering(demo);
            }
        }
        return 0;
    }

    private static void keepOrdering(Demo demo) throws InterruptedException {
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(stopped::countDown));
        demo.keepOrdering(stopped);
    }
}
