package com.acme.examples;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * docs/messages.md has one row for each code of the sources, with the words that the code logs. {@code mvn test -pl examples/small
 * -Dtest=MessagesTest -Dwaybill.write.messages=true} writes the message column anew; the meaning and the advice are written by hand.
 */
final class MessagesTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Path PAGE = HOME.resolve("docs/messages.md");

    private static final Pattern CODE = Pattern.compile("\"(WB-\\d{3})\\b");

    private static final String LITERAL = "\"(?:[^\"\\\\]|\\\\.)*\"";
    private static final Pattern LINE =
            Pattern.compile("log\\.(info|warn|error)\\(\\s*(?=\"WB-)(" + LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*)");
    private static final Pattern ROW = Pattern.compile("^\\| (WB-\\d{3}) \\|(.*)\\|(.*)\\|(.*)\\|$", Pattern.MULTILINE);

    private static final int CODE_LENGTH = "WB-000".length();

    private record Row(String message, String meaning, String advice) {}

    @BeforeAll
    static void writeIfAsked() throws IOException {
        if (Boolean.getBoolean("waybill.write.messages")) {
            write();
        }
    }

    @Test
    void every_code_has_a_row_and_every_row_a_code() throws IOException {
        assertThat(rows().keySet()).containsExactlyElementsOf(codes());
        assertThat(rows())
                .allSatisfy((code, row) -> assertThat(List.of(row.message, row.meaning, row.advice))
                        .as(code)
                        .noneMatch(String::isBlank));
    }

    @Test
    void the_page_quotes_what_the_code_logs() throws IOException {
        Map<String, Row> rows = rows();
        Map<String, String> logged = logged();
        logged.keySet().retainAll(rows.keySet());

        assertThat(logged).hasSizeGreaterThan(50);
        assertThat(logged.entrySet())
                .as("run with -Dwaybill.write.messages=true")
                .filteredOn(line -> !rows.get(line.getKey()).message.equals(line.getValue()))
                .isEmpty();
    }

    @Test
    void a_line_is_read_from_its_code() {
        assertThat(logged("log.warn(\"WB-101 Relay {} lost\"\n  + \" {} shards.\", relay, lost);"))
                .containsExactly(Map.entry("WB-101", "Relay … lost … shards."));
        assertThat(logged("log.warn(\"WB-606 Write handler = \\\"{}\\\".\", name);"))
                .containsExactly(Map.entry("WB-606", "Write handler = \"…\"."));
        assertThat(logged("log.info(\"WB-131 It can be read.\");"))
                .containsExactly(Map.entry("WB-131", "INFO: It can be read."));
        assertThat(logged("log.warn(\"WB-602 {}\", e.getMessage());")).isEmpty();
    }

    private static void write() throws IOException {
        Map<String, Row> rows = rows();
        Map<String, String> logged = logged();
        String table = codes().stream()
                .map(code -> {
                    Row row = rows.getOrDefault(code, new Row("", "", ""));
                    return String.join(
                            " | ", "| " + code, logged.getOrDefault(code, row.message), row.meaning, row.advice + " |");
                })
                .collect(joining("\n"));
        String page = Files.readString(PAGE);
        int head = page.indexOf('\n', page.indexOf("|---|"));
        Files.writeString(PAGE, page.substring(0, head + 1) + table + "\n");
    }

    private static Map<String, Row> rows() throws IOException {
        var rows = new TreeMap<String, Row>();
        Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            String[] cells = row.group().split("(?<!\\\\)\\|", -1);
            assertThat(cells).as(row.group()).hasSize(6);
            assertThat(rows.put(row.group(1), new Row(cells[2].strip(), cells[3].strip(), cells[4].strip())))
                    .as(row.group(1) + " has two rows")
                    .isNull();
        }
        return rows;
    }

    private static SortedSet<String> codes() throws IOException {
        var codes = new TreeSet<String>();
        for (String source : sources()) {
            CODE.matcher(source).results().forEach(code -> codes.add(code.group(1)));
        }
        return codes;
    }

    private static Map<String, String> logged() throws IOException {
        return logged(String.join("\n", sources()));
    }

    /** The line of each code, the longest where there are several; none where all words come from elsewhere. */
    private static Map<String, String> logged(String source) {
        var lines = new TreeMap<String, String>();
        LINE.matcher(source).results().forEach(line -> {
            String words = line.group(2)
                    .replaceAll("\"\\s*\\+\\s*\"", "")
                    .replaceAll("^\"|\"$", "")
                    .replace("\\\"", "\"")
                    .replace("{}", "…");
            String text = words.substring(CODE_LENGTH).strip();
            if (!text.isEmpty() && !text.equals("…")) {
                String level = line.group(1).equals("warn") ? "" : line.group(1).toUpperCase(Locale.ROOT) + ": ";
                lines.merge(words.substring(0, CODE_LENGTH), level + text, (a, b) -> a.length() < b.length() ? b : a);
            }
        });
        return lines;
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(HOME)) {
            var sources = new ArrayList<String>();
            files.filter(file -> file.toString().contains("/src/main/java/io/waybill/")
                            && file.toString().endsWith(".java")
                            && !file.startsWith(HOME.resolve("testkit")))
                    .sorted()
                    .forEach(file -> sources.add(text(file)));
            return sources;
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
