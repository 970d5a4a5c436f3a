package io.waybill.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.Qualifier;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import io.waybill.WaybillException;
import java.sql.Connection;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The data source that Waybill works on, and the transactions on it.
 *
 * @param dataSource the pool itself: the bean around it only gives the connection of the current transaction
 */
record ChosenDatabase(DataSource dataSource, TransactionOperations<Connection> operations) {

    static ChosenDatabase of(BeanContext beans, Optional<String> name) {
        int known = beans.getBeanDefinitions(DataSource.class).size();
        if (known == 0) {
            throw new WaybillException("Waybill needs a database, but the application has no DataSource bean. Set"
                    + " datasources.default.url and add a pool such as io.micronaut.sql:micronaut-jdbc-hikari, or set"
                    + " waybill.enabled to false.");
        }
        if (known > 1 && name.isEmpty()) {
            throw new WaybillException("The application has " + known + " data sources, and waybill.data-source does"
                    + " not say which one has the data that messages belong to. Give its name, as in"
                    + " datasources.<name>.");
        }
        return of(
                beans,
                name.orElse(""),
                name.map(ChosenDatabase::<DataSource>named).orElse(null));
    }

    private static ChosenDatabase of(BeanContext beans, String name, @Nullable Qualifier<DataSource> qualifier) {
        DataSource found = beans.findBean(DataSource.class, qualifier)
                .orElseThrow(() -> new WaybillException("waybill.data-source is '" + name
                        + "', but there is no such data source. Give the name of one that is configured, as in"
                        + " datasources.<name>."));
        var operations = Argument.of(TransactionOperations.class, Connection.class);
        @SuppressWarnings("unchecked")
        TransactionOperations<Connection> transactions =
                name.isEmpty() ? beans.getBean(operations) : beans.getBean(operations, named(name));
        return new ChosenDatabase(DelegatingDataSource.unwrapDataSource(found), transactions);
    }

    private static <T> Qualifier<T> named(String name) {
        return Qualifiers.byName(name);
    }

    /** How many connections there are at most, where that can be known. */
    OptionalInt poolSize() {
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
