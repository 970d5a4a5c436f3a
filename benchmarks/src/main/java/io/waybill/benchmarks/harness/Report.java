package io.waybill.benchmarks.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What one benchmark found, and on which machine: as text for the terminal, as Markdown for the repository. */
public record Report(String name, String question, List<Line> lines, List<String> facts) {

    /** Measures. */
    public static Report of(Benchmark benchmark, Lab lab) throws Exception {
        List<Line> lines = benchmark.measure(lab);
        List<String> facts = new ArrayList<>(MachineFacts.of(lab));
        facts.add(benchmark.procedure(lab.settings()));
        return new Report(
                benchmark.name() + (lab.settings().fsync() ? "" : "-no-fsync"), benchmark.question(), lines, facts);
    }

    public String asText() {
        List<List<String>> rows = rows();
        List<Integer> widths = IntStream.range(0, Line.TITLES.size())
                .mapToObj(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toList();
        return "\n" + name + ": " + question + "\n\n"
                + lines(rows, row -> padded(row, widths).stripTrailing())
                + "\n"
                + lines(facts, fact -> "  " + fact);
    }

    public String asMarkdown() {
        List<List<String>> rows = new ArrayList<>(rows());
        rows.add(1, Line.TITLES.stream().map(title -> "---").toList());
        return "# " + name + "\n\n" + question + "\n\n"
                + lines(rows, row -> "| " + String.join(" | ", row) + " |")
                + "\n"
                + lines(facts, fact -> "- " + fact);
    }

    /** Writes the Markdown; returns where. */
    public Path save(Path directory) throws IOException {
        Files.createDirectories(directory);
        return Files.writeString(directory.resolve(name + ".md"), asMarkdown(), UTF_8);
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(Line.TITLES);
        lines.forEach(line -> rows.add(line.cells()));
        return rows;
    }

    private static String padded(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> row.get(column)
                        + " ".repeat(widths.get(column) - row.get(column).length()))
                .collect(joining("  "));
    }

    private static <T> String lines(List<T> items, Function<T, String> line) {
        return items.stream().map(line).map(text -> text + "\n").collect(joining());
    }
}
