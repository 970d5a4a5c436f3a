package io.waybill.micronaut;

import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.relay.RelayOptions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The configuration, read once; everything that is wrong with it is said at once.
 *
 * @param dataSource the name of the data source; empty where there is only one
 * @param consumers whether messages are sent and handled here, or only appended
 * @param routes the exact ones first, so that a wider pattern does not take what is theirs
 */
record Settings(
        Optional<String> dataSource,
        RelayOptions relay,
        boolean consumers,
        List<RouteTo> routes,
        Optional<String> commandsFrom,
        Optional<String> repliesFrom,
        CommandNaming commandNaming,
        Optional<String> tablePrefix) {

    static final String CONCURRENCY = "messaging.consumers.concurrency";

    /** Messages for these destinations go to this broker. */
    record RouteTo(String pattern, String url) {}

    static Settings of(Environment environment) {
        var reader = new Reader(environment, new ArrayList<>());
        RelayOptions normal = RelayOptions.DEFAULT;
        Duration sweep = reader.value(
                "outbox.sweep-interval", normal.sweepInterval(), text -> duration(text, ChronoUnit.MILLIS));
        Duration claim =
                reader.value("outbox.claim-timeout", normal.claimTimeout(), text -> duration(text, ChronoUnit.SECONDS));
        int batch = reader.value("outbox.batch-size", normal.batchSize(), Settings::positive);
        int concurrency = reader.value(CONCURRENCY, normal.handlers(), Settings::positive);
        boolean consumers = reader.value("messaging.consumers.enabled", true, Settings::flag);
        String prefix = reader.value("commands.prefix", CommandNaming.DEFAULT.prefix(), text -> text);
        String suffix = reader.value("commands.suffix", CommandNaming.DEFAULT.suffix(), text -> text);
        List<RouteTo> routes = reader.routes();
        reader.refuseProblems();
        return new Settings(
                reader.text("data-source"),
                normal.withSweepInterval(sweep)
                        .withClaimTimeout(claim)
                        .withBatchSize(batch)
                        .withHandlers(concurrency),
                consumers,
                routes,
                reader.text("commands.from"),
                reader.text("commands.replies-from"),
                new CommandNaming(prefix, suffix, Map.of()),
                reader.text("table-prefix"));
    }

    /** {@code 500ms}, {@code 2s}, {@code 5m}, {@code PT1S}, or a plain number of this unit. */
    private static Duration duration(String text, ChronoUnit plain) {
        Duration duration;
        if (text.matches("\\d{1,12}")) {
            duration = Duration.of(Long.parseLong(text), plain);
        } else if (text.matches("\\d{1,12}ms")) {
            duration = Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        } else if (text.matches("\\d{1,12}[smhSMH]")) {
            duration = Duration.parse("PT" + text);
        } else if (text.startsWith("PT")) {
            duration = Duration.parse(text);
        } else {
            throw new IllegalArgumentException();
        }
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException();
        }
        return duration;
    }

    private static int positive(String text) {
        int number = Integer.parseInt(text);
        if (number < 1) {
            throw new IllegalArgumentException();
        }
        return number;
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException();
        }
        return text.equals("true");
    }

    private record Reader(Environment environment, List<String> problems) {

        Optional<String> text(String key) {
            return environment.getProperty("waybill." + key, String.class).filter(text -> !text.isBlank());
        }

        <T> T value(String key, T otherwise, Function<String, T> read) {
            String own = "waybill." + key;
            String used = environment.containsProperty(own) ? own : key;
            Optional<String> text = environment
                    .getProperty(used, String.class)
                    .map(String::trim)
                    .filter(given -> !given.isEmpty());
            try {
                return text.map(read).orElse(otherwise);
            } catch (RuntimeException e) {
                problems.add(used + " is '" + text.orElse("") + "'. " + rule(otherwise));
                return otherwise;
            }
        }

        private static String rule(Object otherwise) {
            if (otherwise instanceof Duration) {
                return "Give a time longer than zero, such as 500ms, 2s or PT1M.";
            }
            return otherwise instanceof Boolean ? "Give true or false." : "Give a whole number from 1 on.";
        }

        List<RouteTo> routes() {
            var routes = new ArrayList<RouteTo>();
            environment.getProperties("waybill.routes", StringConvention.RAW).forEach((pattern, url) -> {
                if (String.valueOf(url).contains(":")) {
                    routes.add(new RouteTo(pattern, String.valueOf(url)));
                } else {
                    problems.add("waybill.routes." + pattern + " is '" + url
                            + "'. Give the URL of a broker, such as kafka://localhost:9092.");
                }
            });
            routes.sort(Comparator.comparing((RouteTo route) -> route.pattern().contains("*"))
                    .thenComparing(route -> route.pattern().replace("*", "").length(), Comparator.reverseOrder())
                    .thenComparing(RouteTo::pattern));
            return List.copyOf(routes);
        }

        void refuseProblems() {
            if (!problems.isEmpty()) {
                throw new WaybillException("Waybill's configuration is wrong in " + problems.size()
                        + (problems.size() == 1 ? " place:" : " places:") + "\n  " + String.join("\n  ", problems));
            }
        }
    }
}
