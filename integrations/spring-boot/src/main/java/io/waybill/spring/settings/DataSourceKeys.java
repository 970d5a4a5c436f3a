package io.waybill.spring.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/** The settings of one data source: those under {@code waybill.data-sources.<name>}, and for the rest those of all. */
public final class DataSourceKeys {

    private static final ConfigurationPropertyName WAYBILL = ConfigurationPropertyName.of("waybill");

    private static final String CONSOLE = "waybill.console";

    /** What says something about the primary data source alone. */
    private static final List<ConfigurationPropertyName> NOT_INHERITED = Stream.of(
                    "waybill.data-source", "waybill.data-sources", "waybill.transaction-manager", CONSOLE)
            .map(ConfigurationPropertyName::of)
            .toList();

    private final Environment environment;
    private final ConfigurationPropertyName prefix;
    private final List<ConfigurationPropertySource> own = new ArrayList<>();

    public DataSourceKeys(Environment environment, String dataSource) {
        this.environment = environment;
        this.prefix = ConfigurationPropertyName.adapt("waybill.data-sources." + dataSource, '.');
        ConfigurationPropertySources.get(environment).forEach(source -> own.add(shifted(source)));
    }

    /** Those that have settings of their own and are not switched off. */
    public static List<String> names(WaybillProperties properties, Environment environment) {
        return properties.dataSources().keySet().stream()
                .filter(name -> isEnabled(name, environment))
                .sorted()
                .toList();
    }

    public static boolean isEnabled(String name, Environment environment) {
        return Binder.get(environment)
                .bind(
                        ConfigurationPropertyName.adapt("waybill.data-sources." + name + ".enabled", '.'),
                        Bindable.of(Boolean.class))
                .orElse(true);
    }

    /** The same problems, with the keys under which they are found. */
    public SpringProblems within(SpringProblems problems) {
        return problems.withKeys(this::found);
    }

    private String found(String key) {
        int end = key.indexOf(' ');
        String name = end < 0 ? key : key.substring(0, end);
        boolean isOwn = ConfigurationPropertyName.isValid(name)
                && own.stream().anyMatch(source -> has(source, ConfigurationPropertyName.of(name)));
        return isOwn ? prefix + key.substring(WAYBILL.toString().length()) : key;
    }

    private static boolean has(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        return source.getConfigurationProperty(name) != null
                || source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT;
    }

    public WaybillProperties bind(SpringProblems problems) {
        if (own.stream().anyMatch(source -> has(source, ConfigurationPropertyName.of(CONSOLE)))) {
            problems.refuse(
                    prefix + ".console", "the console is one for all data sources: set it under " + CONSOLE + ".");
        }
        var all = new ArrayList<>(own);
        ConfigurationPropertySources.get(environment)
                .forEach(source -> all.add(source.filter(name ->
                        NOT_INHERITED.stream().noneMatch(left -> left.equals(name) || left.isAncestorOf(name)))));
        BindHandler handler = new UnboundSettings(problems)
                .apply(new NoUnboundElementsBindHandler(BindHandler.DEFAULT, source -> true));
        return new Binder(all, new PropertySourcesPlaceholdersResolver(environment))
                .bindOrCreate(WAYBILL, Bindable.of(WaybillProperties.class), handler);
    }

    private ConfigurationPropertySource shifted(ConfigurationPropertySource source) {
        return source instanceof IterableConfigurationPropertySource iterable
                ? new ShiftedNames(iterable)
                : new Shifted(source);
    }

    /** What is below the prefix, as if it were below {@code waybill}. */
    private class Shifted implements ConfigurationPropertySource {
        private final ConfigurationPropertySource source;

        Shifted(ConfigurationPropertySource source) {
            this.source = source;
        }

        @Override
        public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
            if (!WAYBILL.isAncestorOf(name)) {
                return null;
            }
            ConfigurationProperty found = source.getConfigurationProperty(below(name));
            return found == null ? null : new ConfigurationProperty(name, found.getValue(), found.getOrigin());
        }

        @Override
        public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
            return WAYBILL.equals(name) || WAYBILL.isAncestorOf(name)
                    ? source.containsDescendantOf(below(name))
                    : ConfigurationPropertyState.ABSENT;
        }

        private ConfigurationPropertyName below(ConfigurationPropertyName name) {
            return WAYBILL.equals(name) ? prefix : prefix.append(name.subName(WAYBILL.getNumberOfElements()));
        }
    }

    /** The same, of a source that knows its names. */
    private final class ShiftedNames extends Shifted implements IterableConfigurationPropertySource {
        private final IterableConfigurationPropertySource source;

        ShiftedNames(IterableConfigurationPropertySource source) {
            super(source);
            this.source = source;
        }

        @Override
        public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
            return super.containsDescendantOf(name);
        }

        @Override
        public Stream<ConfigurationPropertyName> stream() {
            return source.stream()
                    .filter(prefix::isAncestorOf)
                    .map(name -> WAYBILL.append(name.subName(prefix.getNumberOfElements())));
        }
    }
}
