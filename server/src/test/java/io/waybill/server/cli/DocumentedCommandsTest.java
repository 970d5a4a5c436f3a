package io.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.Main;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Every command line in the documents is one that the program takes: its commands and options exist, and those in blocks are complete. */
final class DocumentedCommandsTest {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK =
            Pattern.compile("^```(?:sh)?\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINE = Pattern.compile("^(?:\\$ )?(?:\\./)?waybill (.+)$", Pattern.MULTILINE);
    private static final Pattern INLINE = Pattern.compile("`(?:\\./)?waybill ([a-z][^`]*)`");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final Pattern ALTERNATIVES = Pattern.compile("[a-z]+(?:\\|[a-z]+)+");
    private static final Set<String> ENDING = Set.of(
            "schema print",
            "schema apply",
            "schema status",
            "schema validate",
            "outbox stats",
            "failed groups",
            "failed list",
            "operation list",
            "process list");
    private static final String ID = "018f0000-0000-7000-8000-000000000000";

    @Test
    void command_lines_in_blocks_are_complete() throws IOException {
        var wrong = new ArrayList<String>();
        int lines = 0;
        for (String line : linesInBlocks()) {
            lines++;
            problem(line, true).ifPresent(wrong::add);
        }

        assertThat(wrong).isEmpty();
        assertThat(lines).isGreaterThan(20);
    }

    /** Those that end by themselves and need nothing but a database; what needs a broker or runs until Ctrl-C is tested elsewhere. */
    @Test
    void command_lines_in_blocks_run_as_they_are_written() throws IOException {
        var failed = new ArrayList<String>();
        int lines = 0;
        try (TestDatabase database = Postgres.shared().newDatabase()) {
            String url =
                    database.jdbcUrl().substring("jdbc:".length()).replaceFirst("//", "//" + database.user() + "@");
            Cli.run("schema", "apply", "--db", url);
            Cli.run("schema", "apply", "--layout", "kafka-outbox", "--db", url);
            Cli.run("schema", "apply", "--layout", "outbox-record", "--db", url);
            for (String line : linesInBlocks()) {
                List<String> words = words(line);
                if (endsByItself(words)) {
                    lines++;
                    Cli run = Cli.run(on(url, words).toArray(String[]::new));
                    if (run.exitCode() != 0) {
                        failed.add(line + " -> " + run.exitCode() + " " + run.out() + run.err());
                    }
                }
            }
        }

        assertThat(failed).isEmpty();
        assertThat(lines).isGreaterThan(12);
    }

    private static boolean endsByItself(List<String> words) {
        return words.size() > 1
                && (ENDING.contains(words.get(0) + " " + words.get(1))
                        || (words.get(0).equals("relay") && (words.contains("--once") || words.contains("--dry-run"))));
    }

    private static List<String> on(String url, List<String> words) {
        var on = new ArrayList<>(words);
        int database = words.indexOf("--db");
        if (database >= 0) {
            on.set(database + 1, url);
        } else if (!words.contains("print")) {
            on.addAll(List.of("--db", url));
        }
        return on;
    }

    @Test
    void commands_and_options_in_sentences_exist() throws IOException {
        var wrong = new ArrayList<String>();
        for (Path document : documents()) {
            for (MatchResult line : matches(INLINE, Files.readString(document))) {
                problem(line.group(1), false).ifPresent(problem -> wrong.add(document + ": " + problem));
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void help_describes_every_command_option_and_argument() {
        var undescribed = new ArrayList<String>();
        collectUndescribed(Main.commandLine(), undescribed);

        assertThat(undescribed).isEmpty();
    }

    private static void collectUndescribed(CommandLine command, List<String> undescribed) {
        CommandSpec spec = command.getCommandSpec();
        if (isBlank(spec.usageMessage().description())) {
            undescribed.add(spec.qualifiedName());
        }
        spec.args().stream()
                .filter(argument -> isBlank(argument.description()))
                .forEach(argument -> undescribed.add(spec.qualifiedName() + " " + argument.paramLabel()));
        command.getSubcommands().values().forEach(one -> collectUndescribed(one, undescribed));
    }

    private static boolean isBlank(String[] description) {
        return String.join("", description).isBlank();
    }

    @Test
    void a_wrong_command_line_is_found() {
        assertThat(problem("outbox lst", true)).isPresent();
        assertThat(problem("outbox list --statsu failed", false)).isPresent();
        assertThat(problem("process show", true)).isPresent();
        assertThat(problem("process show", false)).isEmpty();
        assertThat(problem("process pause|resume ID", true)).isEmpty();
    }

    private static Optional<String> problem(String line, boolean complete) {
        String command = line.replaceAll("\\s#.*", "").strip();
        if (command.startsWith("example ") || command.contains(" … ")) {
            return Optional.empty();
        }
        MatchResult several =
                ALTERNATIVES.matcher(command).results().findFirst().orElse(null);
        if (several != null) {
            return Stream.of(several.group().split("\\|"))
                    .flatMap(one -> problem(command.replace(several.group(), one), complete).stream())
                    .findFirst();
        }
        try {
            Main.commandLine().parseArgs(words(command).toArray(String[]::new));
            return Optional.empty();
        } catch (ParameterException e) {
            return complete || e instanceof UnmatchedArgumentException
                    ? Optional.of("waybill " + command + " -> " + e.getMessage())
                    : Optional.empty();
        }
    }

    private static List<String> words(String line) {
        String command = line.replaceAll("\\s#.*", "").strip();
        return matches(WORD, command.replaceAll("[\\[\\]…]", "")).stream()
                .map(word ->
                        word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3))
                .map(word -> word.matches("ID(\\.\\.\\.)?") ? ID : word)
                .toList();
    }

    private static List<String> linesInBlocks() throws IOException {
        var lines = new ArrayList<String>();
        for (Path document : documents()) {
            for (MatchResult block : matches(BLOCK, Files.readString(document))) {
                matches(LINE, block.group(1).replaceAll("\\\\\\n\\s*", "")).forEach(line -> lines.add(line.group(1)));
            }
        }
        return lines;
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(HOME)) {
            return files.filter(file -> file.toString().endsWith(".md")
                            && !file.toString().contains("/target/")
                            && !file.endsWith("CHANGELOG.md"))
                    .sorted()
                    .toList();
        }
    }
}
