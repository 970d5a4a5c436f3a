package io.waybill.console.web;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real browser with one page, driven by the protocol of its developer tools: mouse, keyboard, and what it complains about. */
final class Chromium implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--remote-debugging-port=0");

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();

    private Chromium(Process process, Path profile, URI page) {
        this.process = process;
        this.profile = profile;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page, new Listener())
                .join();
        List.of("Page", "Runtime", "Log", "Network").forEach(domain -> call(domain + ".enable", Map.of()));
    }

    /** Starts it; where none is installed the test is skipped, and says so. */
    static Chromium start() throws IOException {
        Optional<Path> installed = Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(
                installed.isPresent(),
                "NOT TESTED: the pages of the console, because there is no Chromium. Install it with: apt-get install chromium");
        Path profile = Files.createTempDirectory("chromium");
        List<String> command = new ArrayList<>(FLAGS);
        command.add(0, installed.orElseThrow().toString());
        command.add("--user-data-dir=" + profile);
        command.add("about:blank");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        await().atMost(PATIENCE)
                .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
        return new Chromium(process, profile, page(Files.readAllLines(port).get(0)));
    }

    private static URI page(String port) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            var list = URI.create("http://127.0.0.1:" + port + "/json/list");
                            try (var stream = list.toURL().openStream()) {
                                return JSON.readTree(stream)
                                        .valueStream()
                                        .filter(target ->
                                                target.get("type").asString().equals("page"))
                                        .findFirst()
                                        .map(target -> URI.create(target.get("webSocketDebuggerUrl")
                                                .asString()));
                            }
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    /** What the browser says goes to whoever asked; what it complains about is kept. */
    private final class Listener implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                JsonNode said = JSON.readTree(text.toString());
                text.setLength(0);
                if (said.has("id")) {
                    Optional.ofNullable(answers.remove(said.get("id").asInt()))
                            .ifPresent(waiting -> waiting.complete(said));
                } else {
                    note(said);
                }
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void note(JsonNode event) {
        String method = event.get("method").asString();
        JsonNode details = event.get("params");
        boolean error = switch (method) {
            case "Runtime.exceptionThrown" -> true;
            case "Runtime.consoleAPICalled" -> details.get("type").asString().matches("error|warning|assert");
            case "Log.entryAdded" ->
                details.get("entry").get("level").asString().matches("error|warning");
            default -> false;
        };
        if (error) {
            problems.add(details.toString());
        }
    }

    /** Errors and warnings of the page since they were last asked for: exceptions, failed requests, violations of its policy. */
    List<String> problems() {
        List<String> found = new ArrayList<>();
        for (String problem = problems.poll(); problem != null; problem = problems.poll()) {
            found.add(problem);
        }
        return found;
    }

    void open(String address) {
        call("Page.navigate", Map.of("url", "about:blank"));
        call("Page.navigate", Map.of("url", address));
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() ->
                        evaluate("document.querySelector('main h1') !== null").asBoolean());
    }

    /** The value of an expression in the page. */
    JsonNode evaluate(String expression) {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.get("exceptionDetails"));
        }
        JsonNode value = result.get("result").get("value");
        return value == null ? JSON.nullNode() : value;
    }

    /** What a reader sees. */
    String text() {
        return evaluate("document.body.innerText").asString();
    }

    void awaitText(String text) {
        awaitTrue("document.body.innerText.includes(" + JSON.writeValueAsString(text) + ")");
    }

    void awaitTrue(String expression) {
        try {
            await().atMost(PATIENCE)
                    .until(() -> evaluate("Boolean(" + expression + ")").asBoolean());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(expression + " did not come true on the page:\n" + text() + "\n" + problems(), e);
        }
    }

    /** Clicks with the mouse on the first button, link or summary with this text: of the open dialog if there is one. */
    void click(String text) {
        clickOn("[...(document.querySelector('dialog[open]') || document).querySelectorAll('button, a, summary')]"
                + ".find(one => one.innerText.trim() === " + JSON.writeValueAsString(text) + ")");
    }

    void type(String field, String text) {
        clickOn("(document.querySelector('dialog[open]') || document).querySelector('[name=" + field + "]')");
        call("Input.insertText", Map.of("text", text));
    }

    private void clickOn(String expression) {
        String center = "(() => { const one = " + expression
                + "; if (!one) { return null; } one.scrollIntoView({ block: 'center' });"
                + " const box = one.getBoundingClientRect(); return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()";
        JsonNode at = await(expression).atMost(PATIENCE).until(() -> evaluate(center), found -> !found.isNull());
        for (String kind : List.of("mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    Map.of(
                            "type",
                            kind,
                            "x",
                            at.get("x").asDouble(),
                            "y",
                            at.get("y").asDouble(),
                            "button",
                            "left",
                            "clickCount",
                            1));
        }
    }

    void press(String key, int code) {
        Map<String, Object> down = Map.of("type", "keyDown", "key", key, "windowsVirtualKeyCode", code);
        call("Input.dispatchKeyEvent", key.length() == 1 ? Map.of("type", "keyDown", "key", key, "text", key) : down);
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
    }

    void look(int width, boolean dark) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", false));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    void screenshot(Path file) throws IOException {
        JsonNode image = call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(image.get("data").asString()));
    }

    private JsonNode call(String method, Map<String, ?> parameters) {
        int id = calls.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        answers.put(id, answer);
        socket.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        JsonNode said = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        if (said.has("error")) {
            throw new AssertionError(method + ": " + said.get("error"));
        }
        return said.get("result");
    }

    @Override
    public void close() throws Exception {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
