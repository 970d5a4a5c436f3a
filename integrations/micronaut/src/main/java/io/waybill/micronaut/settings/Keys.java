package io.waybill.micronaut.settings;

import io.micronaut.context.env.Environment;
import io.micronaut.context.env.EnvironmentPropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import io.micronaut.context.env.SystemPropertiesPropertySource;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.naming.conventions.StringConvention;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * Looks values up: those of one data source before those of all, ours before those that have the names of the guide. What is wrong
 * with a value is noted, and the default taken instead.
 */
public final class Keys {

    private static final String PREFIX = "waybill.";
    private static final String EACH = PREFIX + "data-sources.";

    public static final List<String> KNOWN = List.of(
            "enabled",
            "data-source",
            "table-prefix",
            "initialize-schema",
            "pool",
            "relays",
            "signals",
            "warn-after",
            "outbox.sweep-interval",
            "outbox.lease-time",
            "outbox.claim-timeout",
            "outbox.close-timeout",
            "outbox.batch-size",
            "outbox.max-payload",
            "outbox.retention",
            "outbox.cleanup-interval",
            "outbox.ordered",
            "outbox.unrouted",
            "inbox.retention",
            "inbox.redelivery-window",
            "inbox.attempts",
            "inbox.idle-timeout",
            "messaging.consumers.enabled",
            "messaging.consumers.concurrency",
            "messaging.consumers.batch-size",
            "handlers.concurrency",
            "handlers.messages-per-commit",
            "commands.from",
            "commands.replies-from",
            "commands.prefix",
            "commands.suffix",
            "commands.reply-queue",
            "commands.max-attempts",
            "commands.in-order",
            "commands.retention",
            "processes.retention",
            "mq.url",
            "mq.host",
            "mq.port",
            "mq.qmgr",
            "mq.channel",
            "mq.user",
            "mq.password",
            "mq.required-queues",
            "console.enabled",
            "console.path",
            "console.read-only",
            "console.mask",
            "console.users",
            "console.local-admin",
            "console.trusted-proxies",
            "console.proxy-address-header",
            "console.proxy-protocol-header",
            "console.proxy-user-header",
            "console.proxy-role-header");

    /** Keys that the guide has without our prefix. */
    private static final List<String> GUIDE = List.of("outbox.", "messaging.consumers.", "mq.");

    private static final List<String> MAPS = List.of("routes.", "messaging.consumers.sources.", "console.roles.");

    private static final Pattern BYTES = Pattern.compile("(\\d{1,9})(|KB|MB|GB)");

    private final Environment environment;
    private final MicronautProblems problems;
    private final String dataSource;

    /** A value, and the key that it was found under. */
    record Found(String key, String text) {}

    public Keys(Environment environment, MicronautProblems problems, String dataSource) {
        this.environment = environment;
        this.problems = problems;
        this.dataSource = dataSource;
    }

    Optional<Found> find(String key) {
        return List.of(EACH + dataSource + "." + key, PREFIX + key, isOfTheGuide(key) ? key : PREFIX + key).stream()
                .flatMap(each -> at(each).stream())
                .findFirst();
    }

    /**
     * Whether the application speaks of such keys without our prefix. A variable of the environment alone does not count: MQ_HOST may be
     * another library's.
     */
    private boolean isOfTheGuide(String key) {
        return GUIDE.stream()
                .filter(key::startsWith)
                .anyMatch(group -> environment.getPropertySources().stream()
                        .filter(source -> source.getConvention() != PropertyConvention.ENVIRONMENT_VARIABLE)
                        .flatMap(source -> StreamSupport.stream(source.spliterator(), false))
                        .anyMatch(used -> NameUtils.hyphenate(used, true).startsWith(group)));
    }

    private Optional<Found> at(String key) {
        return environment
                .getProperty(key, String.class)
                .map(String::trim)
                .filter(text -> !text.isEmpty())
                .map(text -> new Found(key, text));
    }

    String text(String key, String otherwise) {
        return find(key).map(Found::text).orElse(otherwise);
    }

    Optional<String> text(String key) {
        return find(key).map(Found::text);
    }

    /** Texts with commas between them, or a list of YAML. */
    List<String> list(String key) {
        return find(key).stream()
                .flatMap(found -> Arrays.stream(found.text().split(",")))
                .map(String::trim)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    int positive(String key, int otherwise) {
        return value(key, otherwise, Keys::positive, "Give a whole number from 1 on.");
    }

    public boolean flag(String key, boolean otherwise) {
        return value(key, otherwise, Keys::flag, "Give true or false.");
    }

    /** {@code 500ms}, {@code 2s}, {@code 5m}, {@code 7d}, {@code PT1S}, or a plain number of this unit. */
    Duration duration(String key, Duration otherwise, ChronoUnit plain) {
        return value(
                key,
                otherwise,
                text -> longerThanZero(duration(text, plain)),
                "Give a time longer than zero, such as 500ms, 2s or PT1M.");
    }

    /** {@code 500KB}, {@code 16MB}, {@code 1GB}, or a plain number of bytes. */
    long bytes(String key, long otherwise) {
        return value(key, otherwise, Keys::bytes, "Give a number of bytes from 1 on, such as 500KB, 16MB or 1GB.");
    }

    /** What the application is called, where it has a name. */
    String applicationName() {
        return environment
                .getProperty("micronaut.application.name", String.class)
                .orElse("");
    }

    /** How long Micronaut gives beans to shut down, where that is configured. */
    Duration gracePeriod(Duration otherwise) {
        return environment
                .getProperty("micronaut.lifecycle.graceful-shutdown.grace-period", Duration.class)
                .orElse(otherwise);
    }

    /** The same, and zero too; a plain number is days. */
    Duration durationOrZero(String key, Duration otherwise) {
        return value(key, otherwise, text -> duration(text, ChronoUnit.DAYS), "Give a time, such as 7d, 12h or 0.");
    }

    <T> T value(String key, T otherwise, Function<String, T> read, String remedy) {
        Optional<Found> found = find(key);
        try {
            return found.map(Found::text).map(read).orElse(otherwise);
        } catch (RuntimeException e) {
            problems.add(
                    found.map(Found::key).orElse(key), found.map(Found::text).orElse(""), remedy);
            return otherwise;
        }
    }

    /** What is below a key, by names that may have dots and stars. */
    Map<String, Found> below(String key) {
        String own = EACH + dataSource + "." + key;
        String used = environment.containsProperties(own) ? own : PREFIX + key;
        var found = new LinkedHashMap<String, Found>();
        environment
                .getProperties(used, StringConvention.RAW)
                .forEach((name, value) -> found.put(
                        name, new Found(used + "." + name, String.valueOf(value).trim())));
        return found;
    }

    /**
     * Keys with our prefix that nobody reads: a slip of the pen would go unnoticed. Variables of the environment and of the JVM are not
     * looked at: there the prefix may be anybody's.
     */
    public static void refuseUnknown(Environment environment, MicronautProblems problems) {
        environment.getPropertySources().stream()
                .filter(source -> !(source instanceof EnvironmentPropertySource)
                        && !(source instanceof SystemPropertiesPropertySource))
                .forEach(source -> source.forEach(key -> refuseUnknown(key, problems)));
    }

    private static void refuseUnknown(String key, MicronautProblems problems) {
        if (!key.startsWith(PREFIX)) {
            return;
        }
        String whole = NameUtils.hyphenate(key.substring(PREFIX.length()), true);
        String name = whole.replaceFirst("^data-sources\\.[^.]+\\.", "");
        if (!name.equals(whole) && name.startsWith("console.")) {
            problems.add(key + " belongs to one data source, and the console is one for all of them: set " + PREFIX
                    + name + ".");
        }
        if (!KNOWN.contains(name) && MAPS.stream().noneMatch(name::startsWith)) {
            problems.add(key + " is not a key of Waybill. The keys are " + String.join(", ", KNOWN)
                    + ", and those that begin with " + String.join(" or ", MAPS)
                    + "; data-sources.<name>. may stand before any of them.");
        }
    }

    static Duration duration(String text, ChronoUnit plain) {
        if (text.matches("\\d{1,12}")) {
            return Duration.of(Long.parseLong(text), plain);
        }
        if (text.matches("\\d{1,12}ms")) {
            return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        }
        if (text.matches("\\d{1,9}[dD]")) {
            return Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)));
        }
        return Duration.parse(text.startsWith("P") ? text : "PT" + text);
    }

    private static long bytes(String text) {
        Matcher bytes = BYTES.matcher(text);
        if (!bytes.matches() || Long.parseLong(bytes.group(1)) == 0) {
            throw new IllegalArgumentException();
        }
        int power = List.of("", "KB", "MB", "GB").indexOf(bytes.group(2));
        return Long.parseLong(bytes.group(1)) << (10 * power);
    }

    private static Duration longerThanZero(Duration duration) {
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
}
