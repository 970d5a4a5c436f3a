package io.waybill.server;

import io.waybill.WaybillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file again whenever its content has changed. It is looked at rather than watched: a mounted configuration is replaced by
 * links, of which watchers are not told.
 */
final class ConfigWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConfigWatch.class);
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final Path file;
    private final Consumer<RelayConfig> changed;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private String last;

    private ConfigWatch(Path file, Consumer<RelayConfig> changed) {
        this.file = file;
        this.changed = changed;
        this.last = content();
        this.thread = new Thread(this::run, "waybill-config");
        this.thread.setDaemon(true);
    }

    static ConfigWatch start(Path file, Consumer<RelayConfig> changed) {
        var watch = new ConfigWatch(file, changed);
        watch.thread.start();
        return watch;
    }

    private void run() {
        try {
            while (!stopping.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        String now = content();
        if (now.isEmpty() || now.equals(last)) {
            return;
        }
        last = now;
        try {
            changed.accept(RelayConfigFile.read(file));
            log.info("{} has changed and is in force.", file);
        } catch (WaybillException e) {
            log.warn("WB-112 {} has changed and is not used, because of a mistake: {}", file, e.getMessage());
        }
    }

    /** Nothing while it is being replaced. */
    private String content() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        stopping.countDown();
    }
}
