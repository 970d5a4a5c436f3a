package io.waybill.conventions;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/**
 * An application made by following a guide word for word: every block whose paragraph names a file is that file, in an empty folder. It is
 * compiled with what the tests of this module have on their class path, and started as a process of its own.
 */
public final class GuideProject {

    /** A paragraph that begins with, or has, the name of a file, and the block behind it. */
    private static final Pattern FILE = Pattern.compile(
            "^[^`\\n]*`(pom\\.xml|src/[^`]+)`[^\\n]*\\n(?:[^\\n`]+\\n)*\\n```\\w+\\n(.*?)^```$",
            Pattern.DOTALL | Pattern.MULTILINE);

    private final Map<String, String> files = new LinkedHashMap<>();
    private final Path folder;

    private GuideProject(String document, Path folder) {
        this.folder = folder;
        FILE.matcher(document).results().forEach(this::add);
    }

    private void add(MatchResult found) {
        files.put(found.group(1), found.group(2));
    }

    /** Writes the files of a document of docs/ into a folder. */
    public static GuideProject of(String document, Path folder) throws IOException {
        var project = new GuideProject(Files.readString(home().resolve("docs").resolve(document)), folder);
        for (var file : project.files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return project;
    }

    /** What the parent pom says for a property. */
    public static String property(String name) throws IOException {
        var value = Pattern.compile("<" + name + ">([^<]+)</" + name + ">")
                .matcher(Files.readString(home().resolve("pom.xml")));
        if (!value.find()) {
            throw new IllegalArgumentException("pom.xml does not say " + name);
        }
        return value.group(1);
    }

    private static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    public String text(String name) {
        return files.getOrDefault(name, "");
    }

    /** What the compiler says; empty when it has nothing to say. */
    public String compile() throws IOException {
        var arguments = new ArrayList<>(List.of(
                "-parameters",
                "-nowarn",
                "-Xlint:none",
                "--release",
                "17",
                "-d",
                classes().toString(),
                "-cp",
                path(),
                "-processorpath",
                path()));
        files.keySet().stream()
                .filter(name -> name.endsWith(".java"))
                .forEach(name -> arguments.add(folder.resolve(name).toString()));
        Files.createDirectories(classes());
        var said = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler().run(null, said, said, arguments.toArray(String[]::new));
        return result == 0 ? "" : said.toString(StandardCharsets.UTF_8);
    }

    /** Starts its main class; what it says goes to {@link #log}. */
    public Process start(String mainClass, Map<String, String> environment) throws IOException {
        Path resources = folder.resolve("src/main/resources");
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes() + File.pathSeparator + resources + File.pathSeparator + path(),
                        mainClass)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    public String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private Path classes() {
        return folder.resolve("target/classes");
    }

    /** All that this module's tests have, but for the module's own classes. */
    private static String path() {
        String own = Path.of("target").toAbsolutePath() + File.separator;
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.startsWith(own))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
