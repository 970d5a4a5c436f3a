package io.waybill.server.config;

import static java.util.stream.Collectors.joining;

import io.waybill.WaybillException;
import io.waybill.message.text.NearestName;
import io.waybill.transport.SecretMask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A map of a YAML file that collects everything that is wrong with it: key, value, rule. */
final class ConfigSection {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private final String path;
    private final Map<String, @Nullable Object> values;
    private final List<String> problems;
    private final Function<String, @Nullable String> environment;
    private final TreeSet<String> known = new TreeSet<>();

    ConfigSection(
            String path,
            @Nullable Object value,
            List<String> problems,
            Function<String, @Nullable String> environment) {
        this.path = path;
        this.problems = problems;
        this.environment = environment;
        this.values = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, member) -> values.put(String.valueOf(key), member));
        } else if (value != null) {
            problem("", value, "must be a map of keys and values");
        }
    }

    boolean has(String key) {
        known.add(key);
        return values.get(key) != null;
    }

    /** Whether it is just this word. */
    boolean is(String key, String word) {
        return has(key) && word.equals(values.get(key));
    }

    /** Whether it is true or false, and not a map. */
    boolean isFlag(String key) {
        return has(key) && values.get(key) instanceof Boolean;
    }

    String text(String key, String otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        Object value = values.get(key);
        if (value instanceof Map || value instanceof List) {
            problem(key, value, "must be one text");
            return otherwise;
        }
        String text = substituted(key, String.valueOf(value));
        if (SecretMask.isSecret(key) && !key.endsWith("-file")) {
            SecretMask.remember(text);
        }
        return text;
    }

    String required(String key, String rule) {
        if (!has(key)) {
            problem(key, "", "is missing: " + rule);
            return "";
        }
        return text(key, "");
    }

    int number(String key, int otherwise, int least) {
        String text = text(key, String.valueOf(otherwise));
        if (!text.matches("-?\\d{1,9}") || Integer.parseInt(text) < least) {
            problem(key, text, "must be a whole number, " + least + " or more");
            return otherwise;
        }
        return Integer.parseInt(text);
    }

    double share(String key, double otherwise) {
        String text = text(key, String.valueOf(otherwise));
        if (!text.matches("0(\\.\\d{1,9})?|1(\\.0)?")) {
            problem(key, text, "must be a number between 0 and 1");
            return otherwise;
        }
        return Double.parseDouble(text);
    }

    /** So many bytes: a number, or one with KB, MB or GB. */
    long bytes(String key, long otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        try {
            return ByteSize.parse(text(key, ""));
        } catch (WaybillException e) {
            problem(key, text(key, ""), ByteSize.RULE);
            return otherwise;
        }
    }

    boolean flag(String key, boolean otherwise) {
        String text = text(key, String.valueOf(otherwise));
        if (!text.equals("true") && !text.equals("false")) {
            problem(key, text, "must be true or false");
        }
        return text.equals("true");
    }

    Duration duration(String key, Duration otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        Matcher duration = DURATION.matcher(text(key, ""));
        if (!duration.matches()) {
            problem(key, text(key, ""), "must be a duration such as 200ms, 5s, 10m, 2h or 7d");
            return otherwise;
        }
        long amount = Long.parseLong(duration.group(1));
        return switch (duration.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    <E extends Enum<E>> E choice(String key, E otherwise, Class<E> choices) {
        String text = text(key, otherwise.name()).toUpperCase(Locale.ROOT).replace('-', '_');
        for (E choice : choices.getEnumConstants()) {
            if (choice.name().equals(text)) {
                return choice;
            }
        }
        problem(
                key,
                values.get(key),
                "must be one of "
                        + List.of(choices.getEnumConstants()).stream()
                                .map(choice ->
                                        choice.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                                .collect(joining(", ")));
        return otherwise;
    }

    List<String> texts(String key) {
        if (!has(key)) {
            return List.of();
        }
        if (values.get(key) instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        return List.of(text(key, ""));
    }

    /** The members of a map, each as text; an empty value is {@code null}. */
    Map<String, String> map(String key) {
        Map<String, String> members = new LinkedHashMap<>();
        if (has(key)) {
            var section = section(key);
            section.values.forEach((name, value) -> members.put(name, value == null ? "null" : section.text(name, "")));
        }
        return members;
    }

    ConfigSection section(String key) {
        known.add(key);
        return new ConfigSection(at(key), values.get(key), problems, environment);
    }

    List<ConfigSection> sections(String key) {
        List<ConfigSection> sections = new ArrayList<>();
        if (!has(key)) {
            return sections;
        }
        if (values.get(key) instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                sections.add(new ConfigSection(at(key) + "[" + i + "]", list.get(i), problems, environment));
            }
        } else {
            problem(key, values.get(key), "must be a list: each entry begins with '- '");
        }
        return sections;
    }

    /** To be called when everything has been asked for: what is left is misspelt, or for another version. */
    void refuseTheRest() {
        values.forEach((key, value) -> {
            if (!known.contains(key)) {
                String name = SecretMask.name(key);
                problem(
                        name,
                        SecretMask.MASK,
                        "is not known here" + (name.equals(key) ? didYouMean(key) : "") + "; known are "
                                + String.join(", ", known));
            }
        });
    }

    private String didYouMean(String key) {
        return NearestName.to(key, known)
                .map(nearest -> " (did you mean '" + nearest + "'?)")
                .orElse("");
    }

    void problem(String key, @Nullable Object value, String rule) {
        String where = key.isEmpty() ? path : at(key);
        String shown = SecretMask.value(key, value);
        problems.add(where + (shown.isEmpty() ? "" : ": " + shown) + " " + rule);
    }

    private String substituted(String key, String text) {
        return VARIABLE.matcher(text).replaceAll(variable -> {
            String value = environment.apply(variable.group(1));
            if (value == null) {
                problem(key, text, "names the variable " + variable.group(1) + ", which is not set");
                return "";
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
