package com.acme.examples;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every Java block of the README and of docs/, but for one guide that has a test of its own, is code that compiles: its paragraphs, one after the other, are in a source file of
 * examples/. Comments and layout may differ.
 */
final class DocumentsTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Pattern BLOCK = Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*.*?\\*/|(?<!:)//[^\\n]*", Pattern.DOTALL);

    private static final Pattern CALL = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");
    private static final Pattern PROOF = Pattern.compile("`([A-Z]\\w+(?:Contract|Test|Simulator))");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Pattern FENCED = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern EXAMPLE =
            Pattern.compile("^ +(\\w+)\\)(?:(?!;;).)*?\\bmain=(\\S+)", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern EXAMPLE_CALL = Pattern.compile("\\./waybill example (\\w+)");
    private static final Pattern FILE = Pattern.compile("`[\\w-]+/…/[\\w/]+\\.java`");

    /** It shows the files of an application that stands by itself: MicronautGuideTest of the payments worker compiles and starts it. */
    private static final Path APART = HOME.resolve("docs/micronaut.md");

    private record Block(String where, String code) {}

    @Test
    void every_java_block_is_compiled_code() throws IOException {
        List<String> sources = read(HOME.resolve("examples"), ".java").stream()
                .map(file -> bare(text(file)))
                .toList();

        List<String> strange = new ArrayList<>();
        for (Block block : blocks()) {
            missing(block, sources).ifPresent(line -> strange.add(block.where() + " from the line\n    " + line));
        }

        assertThat(strange)
                .as("Java blocks that no file of examples/ contains. Take them from there, or put them there")
                .isEmpty();
    }

    @Test
    void the_walks_through_the_code_name_methods_that_exist() throws IOException {
        String text = text(HOME.resolve("ARCHITECTURE.md"));
        String walks = text.substring(text.indexOf("## Two walks"), text.indexOf("## Handling in the process"));
        List<Path> sources = mainSources();

        List<String> unknown = CALL.matcher(walks)
                .results()
                .filter(call -> sources.stream()
                        .noneMatch(file -> file.endsWith(call.group(1) + ".java")
                                && text(file).contains(" " + call.group(2) + "(")))
                .map(MatchResult::group)
                .toList();

        assertThat(CALL.matcher(walks).results()).hasSizeGreaterThan(10);
        assertThat(unknown).isEmpty();
    }

    @Test
    void where_things_are_names_files_that_exist() throws IOException {
        List<String> sources = mainSources().stream()
                .map(file -> HOME.relativize(file).toString())
                .toList();

        List<String> named = FILE.matcher(text(HOME.resolve("CONTRIBUTING.md")))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(named).hasSizeGreaterThan(20);
        assertThat(named)
                .allSatisfy(file -> assertThat(sources)
                        .anyMatch(source ->
                                source.matches(file.replace("`", "").replace("…", "src/main/java/io/waybill"))));
    }

    @Test
    void every_test_of_a_guarantee_exists() throws IOException {
        String guarantees = text(HOME.resolve("docs/guarantees.md"));
        List<String> files = read(HOME, ".java").stream()
                .map(file -> file.getFileName().toString())
                .toList();

        List<String> named = PROOF.matcher(guarantees)
                .results()
                .map(proof -> proof.group(1) + ".java")
                .toList();

        assertThat(named).hasSizeGreaterThan(30);
        assertThat(files).containsAll(named);
    }

    @Test
    void every_link_leads_to_a_file_and_its_heading() throws IOException {
        var dead = new ArrayList<String>();
        for (Path document : read(HOME, ".md")) {
            LINK.matcher(text(document))
                    .results()
                    .filter(link -> !link.group(1).contains(":") && !leadsSomewhere(document, link))
                    .forEach(link -> dead.add(HOME.relativize(document) + ": " + link.group()));
        }

        assertThat(dead).isEmpty();
    }

    private static boolean leadsSomewhere(Path document, MatchResult link) {
        Path file = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
        return Files.exists(file)
                && (link.group(2) == null
                        || HEADING.matcher(FENCED.matcher(text(file)).replaceAll(""))
                                .results()
                                .anyMatch(heading -> anchor(heading.group(1)).equals(link.group(2))));
    }

    /** As GitHub makes it of a heading. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    @Test
    void the_readme_has_at_most_900_words_besides_its_code() {
        String prose = FENCED.matcher(text(HOME.resolve("README.md"))).replaceAll("");

        assertThat(prose.split("\\s+")).hasSizeLessThanOrEqualTo(900);
    }

    @Test
    void every_example_of_the_documents_starts_a_program_that_exists() throws IOException {
        List<String> sources = read(HOME.resolve("examples"), ".java").stream()
                .map(file -> file.toString().replace('/', '.'))
                .toList();
        Map<String, String> programs = EXAMPLE.matcher(text(HOME.resolve("waybill")))
                .results()
                .collect(toMap(example -> example.group(1), example -> example.group(2)));

        assertThat(programs.values())
                .allSatisfy(name ->
                        assertThat(sources).anyMatch(source -> source.endsWith(".src.main.java." + name + ".java")));
        for (Path document : read(HOME, ".md")) {
            assertThat(programs.keySet())
                    .as(document.toString())
                    .containsAll(EXAMPLE_CALL
                            .matcher(text(document))
                            .results()
                            .map(call -> call.group(1))
                            .toList());
        }
        assertThat(text(HOME.resolve("README.md"))).contains(programs.keySet());
    }

    private static List<Path> mainSources() throws IOException {
        return read(HOME, ".java").stream()
                .filter(file -> file.toString().contains("/src/main/java/io/waybill/")
                        && !file.toString().contains("/target/"))
                .toList();
    }

    @Test
    void a_block_that_is_nowhere_is_found() {
        var sources = List.of(bare("class A {\n  int a = f(1); // one\n  int b = g(2);\n}"));

        assertThat(missing(new Block("here", "int a =\n    f(1);\n\nint b = g(2);\n"), sources))
                .isEmpty();
        assertThat(missing(new Block("here", "int a = f(1);   // the first\nint c = g(3);\n"), sources))
                .hasValue("int c = g(3);");
        assertThat(missing(new Block("here", "int b = g(2);\n\nint a = f(1);\n"), sources))
                .hasValue("int a = f(1);");
    }

    private static List<Block> blocks() throws IOException {
        List<Path> documents = new ArrayList<>(read(HOME.resolve("docs"), ".md"));
        documents.add(HOME.resolve("README.md"));
        documents.remove(APART);
        var blocks = new ArrayList<Block>();
        for (Path document : documents) {
            String text = text(document);
            BLOCK.matcher(text).results().forEach(found -> {
                long line = text.substring(0, found.start()).lines().count() + 1;
                blocks.add(new Block(HOME.relativize(document) + ":" + line, found.group(1)));
            });
        }
        assertThat(blocks).as("Java blocks in the documents").isNotEmpty();
        return blocks;
    }

    /** The first line that is not in the file which has most of the block; nothing when some file has all of it. */
    private static Optional<String> missing(Block block, List<String> sources) {
        List<String> lines =
                COMMENT.matcher(block.code()).replaceAll("").lines().toList();
        int most = sources.stream()
                .mapToInt(source -> contained(lines, source))
                .max()
                .orElse(0);
        return most == lines.size()
                ? Optional.empty()
                : Optional.of(lines.get(most).strip());
    }

    /** How many lines, from the first on, the source has: without a gap up to the next blank line, in order beyond it. */
    private static int contained(List<String> lines, String source) {
        int from = 0;
        var paragraph = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                from = source.indexOf(paragraph.toString(), from) + paragraph.length();
                paragraph.setLength(0);
            }
            paragraph.append(bare(lines.get(i)));
            if (source.indexOf(paragraph.toString(), from) < 0) {
                return i;
            }
        }
        return lines.size();
    }

    private static String bare(String code) {
        return COMMENT.matcher(code).replaceAll("").replaceAll("\\s", "");
    }

    private static List<Path> read(Path root, String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file ->
                            file.toString().endsWith(suffix) && !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
