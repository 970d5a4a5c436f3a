package io.waybill.server.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads keys from standard input, a line at a time. Its end is not the end of the demo, which also runs without a terminal. */
final class DemoKeyboard {

    static final String KEYS = Stream.of(DemoKey.values()).map(DemoKey::letter).collect(Collectors.joining(", "));

    private final Consumer<DemoKey> pressed;
    private final Consumer<String> problems;

    DemoKeyboard(Consumer<DemoKey> pressed, Consumer<String> problems) {
        this.pressed = pressed;
        this.problems = problems;
    }

    void listen(InputStream input) {
        var thread = new Thread(() -> read(input), "demo-keys");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(InputStream input) {
        try {
            var lines = new BufferedReader(new InputStreamReader(input, UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                type(line.strip());
            }
        } catch (IOException e) {
            problems.accept("Keys cannot be read any more: " + e.getMessage() + ". Ctrl-C ends the demo.");
        }
    }

    void type(String line) {
        if (line.isEmpty()) {
            return;
        }
        Optional<DemoKey> key = DemoKey.of(line);
        key.ifPresentOrElse(
                pressed,
                () -> problems.accept("There is no key '" + line + "'. Keys are " + KEYS + ", each with Enter."));
    }
}
