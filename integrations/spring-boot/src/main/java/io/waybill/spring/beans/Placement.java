package io.waybill.spring.beans;

import io.waybill.spring.settings.SpringProblems;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Which data source a bean works on: the one that {@link OnDataSource} names, or the primary one. */
public record Placement(ConfigurableListableBeanFactory beans, String primary) {

    public Map<String, Class<?>> on(String dataSource, Map<String, Class<?>> types) {
        var found = new LinkedHashMap<String, Class<?>>();
        types.forEach((name, type) -> {
            if (of(name).equals(dataSource)) {
                found.put(name, type);
            }
        });
        return found;
    }

    /** Beans of this type, in their order. */
    public <T> List<T> on(String dataSource, Class<T> type) {
        Set<T> placed = Collections.newSetFromMap(new IdentityHashMap<>());
        beans.getBeansOfType(type).forEach((name, bean) -> {
            if (of(name).equals(dataSource)) {
                placed.add(bean);
            }
        });
        return beans.getBeanProvider(type)
                .orderedStream()
                .filter(placed::contains)
                .toList();
    }

    /** Beans on a data source that has no instance would never get a message. */
    public void refuseOthers(Set<String> known, Map<String, Class<?>> types, SpringProblems problems) {
        types.forEach((name, type) -> {
            if (!known.contains(of(name))) {
                problems.refuse(
                        "@OnDataSource(\"" + of(name) + "\") on " + type.getName(),
                        "Waybill is not on this data source. It is on " + String.join(", ", known)
                                + ": name one of them, or" + " set waybill.data-sources." + of(name)
                                + ".enabled=true.");
            }
        });
    }

    private String of(String bean) {
        OnDataSource chosen = beans.findAnnotationOnBean(bean, OnDataSource.class);
        return chosen == null ? primary : chosen.value();
    }
}
