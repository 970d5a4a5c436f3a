package io.waybill.micronaut.settings;

import io.micronaut.context.BeanContext;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * A data source that Waybill works on, and the transactions on it.
 *
 * @param dataSource the pool itself: the bean around it only gives the connection of the current transaction
 */
public record ChosenDatabase(String name, DataSource dataSource, MicronautTransactions transactions) {

    private static final String DEFAULT = "default";

    /** Which data sources there are. */
    public static List<String> names(BeanContext beans) {
        return beans.getBeanDefinitions(DataSource.class).stream()
                .map(ChosenDatabase::name)
                .sorted()
                .toList();
    }

    private static String name(BeanDefinition<DataSource> bean) {
        return bean.getDeclaredQualifier() instanceof io.micronaut.core.naming.Named named ? named.getName() : DEFAULT;
    }

    @SuppressWarnings("unchecked")
    public static ChosenDatabase of(BeanContext beans, String name) {
        boolean only = beans.getBeanDefinitions(DataSource.class).size() == 1;
        DataSource found = bean(beans, Argument.of(DataSource.class), only, name);
        var transactions = new MicronautTransactions(
                bean(beans, Argument.of(TransactionOperations.class, Connection.class), only, name),
                bean(beans, Argument.of(ConnectionOperations.class, Connection.class), only, name));
        return new ChosenDatabase(name, DelegatingDataSource.unwrapDataSource(found), transactions);
    }

    private static <T> T bean(BeanContext beans, Argument<T> type, boolean only, String name) {
        return only ? beans.getBean(type) : beans.getBean(type, Qualifiers.byName(name));
    }

    /**
     * The one that everything works on that does not say otherwise. Nothing when that cannot be known, which is noted.
     *
     * @param chosen {@code waybill.data-source}
     * @param each those that have an instance of their own: {@code waybill.data-sources}
     */
    public static Optional<String> primary(
            List<String> known, Optional<String> chosen, List<String> each, MicronautProblems problems) {
        if (known.isEmpty()) {
            problems.add("datasources.default.url is not set: Waybill needs a database, but the application has no"
                    + " DataSource bean. Set it and add a pool such as io.micronaut.sql:micronaut-jdbc-hikari, or set"
                    + " waybill.enabled to false.");
            return Optional.empty();
        }
        each.stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problems.add("waybill.data-sources." + name + " is set, but there is no data source '"
                        + name + "'. There are: " + String.join(", ", known) + "."));
        if (chosen.isPresent()) {
            if (!known.contains(chosen.get())) {
                problems.add(
                        "waybill.data-source",
                        chosen.get(),
                        "There is no such data source. There are: " + String.join(", ", known) + ".");
            }
            return chosen.filter(known::contains);
        }
        if (each.size() == 1 || each.contains(DEFAULT)) {
            return Optional.of(each.size() == 1 ? each.get(0) : DEFAULT);
        }
        if (known.size() == 1) {
            return Optional.of(known.get(0));
        }
        problems.add("waybill.data-source is not set, and the application has " + known.size() + " data sources: "
                + String.join(", ", known) + ". Give the name of the one that has the data messages belong to; for an"
                + " instance on each, set waybill.data-sources.<name>.enabled too.");
        return Optional.empty();
    }

    /** How many connections there are at most, where that can be known. */
    public OptionalInt poolSize() {
        return ClassUtils.isPresent(
                        "com.zaxxer.hikari.HikariDataSource", getClass().getClassLoader())
                ? Hikari.poolSize(dataSource)
                : OptionalInt.empty();
    }

    /** Apart, so that nothing of the pool is loaded where it is another one. */
    private static final class Hikari {
        static OptionalInt poolSize(DataSource dataSource) {
            return dataSource instanceof com.zaxxer.hikari.HikariDataSource pool
                    ? OptionalInt.of(pool.getMaximumPoolSize())
                    : OptionalInt.empty();
        }
    }
}
