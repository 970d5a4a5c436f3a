package io.waybill.spring.transaction;

import io.waybill.spring.settings.SpringProblems;
import io.waybill.spring.settings.WaybillProperties;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Which of the application's data sources have an instance: the primary one, and those under {@code waybill.data-sources}.
 *
 * @param names the primary one first
 * @param known whether the primary one is there
 * @param each those that have settings of their own
 */
public record DataSourceChoice(List<String> names, boolean known, List<String> each) {

    private static final String KEY = "waybill.data-source";

    /** What stands for the primary one while it is not known which it is. */
    private static final String UNKNOWN = "dataSource";

    public static DataSourceChoice of(
            ConfigurableListableBeanFactory beans,
            WaybillProperties properties,
            List<String> each,
            SpringProblems problems) {
        List<String> there = new ArrayList<>();
        for (String name : each) {
            if (isThere(beans, name)) {
                there.add(name);
            } else {
                problems.refuse(
                        "waybill.data-sources." + name,
                        "there is no DataSource of this name. There are: "
                                + String.join(", ", beans.getBeanNamesForType(DataSource.class)) + ".");
            }
        }
        Optional<String> primary = primary(beans, properties.dataSource(), there, problems);
        var names = new LinkedHashSet<String>();
        names.add(primary.orElse(UNKNOWN));
        names.addAll(there);
        return new DataSourceChoice(List.copyOf(names), primary.isPresent(), List.copyOf(there));
    }

    private static Optional<String> primary(
            ConfigurableListableBeanFactory beans, String chosen, List<String> each, SpringProblems problems) {
        if (!chosen.isEmpty()) {
            if (isThere(beans, chosen)) {
                return Optional.of(chosen);
            }
            SpringDatabase.noneCalled(KEY, chosen, DataSource.class, beans, problems);
            return Optional.empty();
        }
        try {
            return Optional.of(beans.resolveNamedBean(DataSource.class).getBeanName());
        } catch (NoSuchBeanDefinitionException e) {
            if (each.size() == 1) {
                return Optional.of(each.get(0));
            }
            SpringDatabase.noneChosen(
                    KEY, DataSource.class, "set spring.datasource.url, or define a DataSource", beans, problems);
            return Optional.empty();
        }
    }

    private static boolean isThere(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBean(name) && beans.isTypeMatch(name, DataSource.class);
    }

    public String primary() {
        return names.get(0);
    }

    public boolean hasSettings(String name) {
        return each.contains(name);
    }

    @Nullable
    public SpringDatabase database(
            String name, ConfigurableListableBeanFactory beans, String manager, SpringProblems problems) {
        if (!known && isPrimary(name)) {
            return null;
        }
        String key = isPrimary(name) ? "waybill" : "waybill.data-sources." + name;
        return SpringDatabase.of(beans, name, key + ".transaction-manager", manager, problems);
    }

    public boolean isPrimary(String name) {
        return name.equals(primary());
    }
}
