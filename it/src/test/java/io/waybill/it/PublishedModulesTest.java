package io.waybill.it;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds between the modules: names of types, packages and Java modules, each once. */
final class PublishedModulesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern MODULE = Pattern.compile("<waybill\\.module>(.+)</waybill\\.module>");
    private static final String SOURCES = "src/main/java/io/waybill";

    /** An application has one of the two integrations, and types the same in both. */
    private static final Set<String> SAME_FOR_USERS = Set.of("OnDataSource", "WaybillCustomizer");

    @Test
    void no_simple_name_stands_for_two_types() throws IOException {
        Map<String, List<Path>> files =
                sources().collect(groupingBy(file -> file.getFileName().toString()));

        assertThat(files)
                .as("types with the same simple name: give one the prefix of its module, or nest it")
                .allSatisfy((name, same) -> assertThat(same).hasSize(isSameForUsers(name) ? 2 : 1));
    }

    private static boolean isSameForUsers(String file) {
        return SAME_FOR_USERS.contains(file.replace(".java", ""));
    }

    @Test
    void no_package_is_in_two_modules() throws IOException {
        Map<Path, Set<Path>> modules = sources()
                .collect(groupingBy(PublishedModulesTest::packageOf, mapping(PublishedModulesTest::moduleOf, toSet())));

        assertThat(modules).allSatisfy((name, holders) -> assertThat(holders).hasSize(1));
    }

    @Test
    void every_jar_has_the_name_of_its_module() throws IOException {
        var names = new TreeSet<String>();
        for (Path module : published()) {
            Matcher name = MODULE.matcher(Files.readString(module.resolve("pom.xml")));
            assertThat(name.find()).as("waybill.module in the pom of " + module).isTrue();
            assertThat(names.add(name.group(1))).as(name.group(1)).isTrue();
            assertThat(manifestNames(module)).allMatch(name.group(1)::equals);
        }
        assertThat(names).contains("io.waybill.core", "io.waybill.runtime", "io.waybill.server");
    }

    /** Of what is built: where only classes are, as in {@code mvn test}, there is none. */
    private static List<String> manifestNames(Path module) throws IOException {
        if (!Files.isDirectory(module.resolve("target"))) {
            return List.of();
        }
        try (Stream<Path> jars = Files.list(module.resolve("target"))) {
            return jars.filter(jar -> jar.getFileName().toString().matches("waybill.*-SNAPSHOT\\.jar"))
                    .map(PublishedModulesTest::manifestName)
                    .toList();
        }
    }

    private static String manifestName(Path jar) {
        try (var file = new JarFile(jar.toFile())) {
            return String.valueOf(file.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that users put on their class or module path. */
    private static List<Path> published() throws IOException {
        List<Path> modules =
                sources().map(PublishedModulesTest::moduleOf).distinct().toList();
        assertThat(modules).hasSizeGreaterThan(10);
        return modules.stream()
                .filter(module -> !read(module.resolve("pom.xml")).contains("<waybill.internal>true"))
                .toList();
    }

    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files
                    .filter(file -> file.toString().endsWith(".java")
                            && file.toString().contains("/" + SOURCES + "/")
                            && !file.toString().contains("/target/")
                            && !file.endsWith("package-info.java"))
                    .toList()
                    .stream();
        }
    }

    private static Path moduleOf(Path source) {
        String path = source.toString();
        return Path.of(path.substring(0, path.indexOf("/" + SOURCES)));
    }

    private static Path packageOf(Path source) {
        return moduleOf(source).resolve("src/main/java").relativize(source.getParent());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
