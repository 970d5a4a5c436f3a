package io.waybill.spring.settings;

import io.waybill.transport.SecretMask;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Notes settings that cannot be read or that nobody knows, and goes on with the next: Spring would stop at the first. What nobody knows may
 * be a password with a slip in its name: its value is not shown.
 */
public final class UnboundSettings implements ConfigurationPropertiesBindHandlerAdvisor {

    private static final ConfigurationPropertyName WAYBILL = ConfigurationPropertyName.of("waybill");

    private final SpringProblems problems;
    private final Set<ConfigurationPropertyName> unreadable = new HashSet<>();

    public UnboundSettings(SpringProblems problems) {
        this.problems = problems;
    }

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                if (!WAYBILL.isAncestorOf(name)) {
                    return super.onFailure(name, target, context, error);
                }
                unreadable.add(name);
                var property = context.getConfigurationProperty();
                problems.add(
                        name.toString(), property == null ? null : SecretMask.value(property.getValue()), rule(target));
                return null;
            }

            @Override
            public void onFinish(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                    throws Exception {
                try {
                    super.onFinish(name, target, context, result);
                } catch (UnboundConfigurationPropertiesException e) {
                    if (!WAYBILL.equals(name)) {
                        throw e;
                    }
                    e.getUnboundProperties().stream()
                            .filter(unbound -> !unreadable.contains(unbound.getName()))
                            .forEach(unknown -> problems.refuse(
                                    unknown.getName().toString(), "there is no such setting. Look for a misspelling."));
                }
            }
        };
    }

    private static String rule(Bindable<?> target) {
        Class<?> type = target.getType().resolve(Object.class);
        if (type.isEnum()) {
            return "it must be one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant ->
                                    constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .collect(Collectors.joining(", "))
                    + ".";
        }
        return switch (type.getSimpleName()) {
            case "int", "Integer" -> "it must be a whole number.";
            case "boolean", "Boolean" -> "it must be true or false.";
            case "Duration" -> "it must be a duration, such as 500ms, 10s or 7d.";
            case "DataSize" -> "it must be a number of bytes, such as 500KB, 16MB or 1GB.";
            default -> "it cannot be read as " + type.getSimpleName() + ".";
        };
    }
}
