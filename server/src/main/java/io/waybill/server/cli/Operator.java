package io.waybill.server.cli;

import io.waybill.jdbc.JdbcStore;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Writes down who changes what, and why. */
public final class Operator {

    /** A name of its own, so that a log configuration can keep these lines apart. */
    private static final Logger log = LoggerFactory.getLogger("io.waybill.operator");

    /** Which database it is and how to talk to people says nothing about the change, and contents are not for a log. */
    private static final Set<String> LEFT_OUT = Set.of(
            "--db",
            "--context",
            "--password-file",
            "--table-prefix",
            "--output",
            "--reason",
            "--yes",
            "--wait",
            "--payload",
            "--header",
            "--data");

    private Operator() {}

    public static String name() {
        return System.getProperty("user.name", "");
    }

    /**
     * Does the work, and writes it down in the database before and after; where a database has adopted tables only, in the log.
     *
     * @param work returns in words what it has done
     */
    public static void change(
            JdbcStore store, CommandSpec spec, String database, String reason, Supplier<String> work) {
        if (!store.operationLog().isThere()) {
            log(work.get(), database, reason);
            return;
        }
        store.operationLog().write(name(), command(spec), reason, () -> {
            String done = work.get();
            log(done, database, reason);
            return done;
        });
    }

    public static void log(String what, String database, String reason) {
        log.info(
                "{} in {}, by {}{}",
                what,
                database,
                name(),
                reason.isBlank() ? "; no reason given" : ": " + reason.replaceAll("\\s+", " "));
    }

    /** The command as it was given: {@code waybill failed discard --group 7f3a}. */
    private static String command(CommandSpec spec) {
        ParseResult given = spec.commandLine().getParseResult();
        Stream<String> options = given.matchedOptions().stream()
                .filter(option -> !LEFT_OUT.contains(option.longestName()))
                .flatMap(Operator::words);
        Stream<String> positionals = given.matchedPositionals().stream().flatMap(Operator::values);
        return Stream.of(Stream.of(spec.commandLine().getCommandSpec().qualifiedName()), options, positionals)
                .flatMap(words -> words)
                .collect(Collectors.joining(" "));
    }

    private static Stream<String> words(OptionSpec option) {
        return option.typeInfo().isBoolean()
                ? Stream.of(option.longestName())
                : values(option).flatMap(value -> Stream.of(option.longestName(), value));
    }

    private static Stream<String> values(ArgSpec argument) {
        List<String> values = argument.originalStringValues();
        return values.stream().map(value -> value.isEmpty() || value.contains(" ") ? "'" + value + "'" : value);
    }
}
