package io.waybill.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.waybill.WaybillException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file again whenever its content has changed. It is looked at rather than watched: a mounted configuration is replaced by
 * links, of which watchers are not told.
 */
public final class ConfigWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConfigWatch.class);
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final Supplier<RelayConfig> reader;
    private final Path file;
    private volatile List<Path> secretFiles;
    private final Consumer<RelayConfig> changed;
    private final Consumer<String> refused;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private String last;

    private ConfigWatch(
            Path file, Supplier<RelayConfig> reader, Consumer<RelayConfig> changed, Consumer<String> refused) {
        this.reader = reader;
        this.file = file;
        this.secretFiles = secretFiles(reader);
        this.changed = changed;
        this.refused = refused;
        this.last = content();
        this.thread = new Thread(this::run, "waybill-config");
        this.thread.setDaemon(true);
    }

    /**
     * Watches a file on a thread of its own.
     *
     * @param refused told why a file is not used, and an empty text when one is in force
     */
    public static ConfigWatch start(Path file, Consumer<RelayConfig> changed, Consumer<String> refused) {
        return start(file, () -> RelayConfigFile.read(file), changed, refused);
    }

    /** The same for what was given by flags: then only the files with secrets of brokers can change. */
    public static ConfigWatch start(RelayConfig config, Consumer<RelayConfig> changed, Consumer<String> refused) {
        return start(Path.of(""), () -> config, changed, refused);
    }

    private static ConfigWatch start(
            Path file, Supplier<RelayConfig> reader, Consumer<RelayConfig> changed, Consumer<String> refused) {
        var watch = new ConfigWatch(file, reader, changed, refused);
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
            RelayConfig config = reader.get();
            secretFiles = config.secretFiles();
            last = content();
            changed.accept(config);
            log.info("WB-129 {} or one of its secret files has changed, and the change is in force.", file);
            refused.accept("");
        } catch (WaybillException e) {
            refuse(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            refuse(e.toString(), e);
        }
    }

    /** Whatever is wrong with a file, the next one is looked at. */
    private void refuse(String why, Throwable e) {
        log.warn("WB-112 {} has changed but is not used, and the previous configuration stays in force: {}", file, why);
        log.debug("WB-112", e);
        refused.accept(file + " is not used: " + why);
    }

    /** Nothing while it is being replaced. What is not text is compared all the same: reading it says what is wrong. */
    private String content() {
        try {
            var content = new StringBuilder(" ");
            if (!file.toString().isEmpty()) {
                content.append(Files.size(file)).append('\n').append(beginning(file));
            }
            for (Path secrets : secretFiles) {
                content.append('\n').append(new String(Files.readAllBytes(secrets), ISO_8859_1).hashCode());
            }
            return content.toString();
        } catch (IOException | OutOfMemoryError e) {
            return "";
        }
    }

    private static String beginning(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(RelayConfigFile.MAX_BYTES), ISO_8859_1);
        }
    }

    private static List<Path> secretFiles(Supplier<RelayConfig> reader) {
        try {
            return reader.get().secretFiles();
        } catch (WaybillException e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        stopping.countDown();
    }
}
