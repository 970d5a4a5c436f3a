package io.waybill.spring;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.util.ClassUtils;

/** Which of the application's data sources has the tables, and who makes its transactions. */
record Database(DataSource dataSource, SpringTransactions transactions) {

    private static final String MANAGER = "waybill.transaction-manager";
    private static final String JTA = "org.springframework.transaction.jta.JtaTransactionManager";
    private static final boolean JPA =
            ClassUtils.isPresent("org.springframework.orm.jpa.JpaTransactionManager", Database.class.getClassLoader());

    /** The ones that the settings name, or the only or primary ones. */
    static @Nullable Database choose(ListableBeanFactory beans, WaybillProperties properties, Problems problems) {
        DataSource dataSource = one(
                beans,
                DataSource.class,
                "waybill.data-source",
                properties.dataSource(),
                "set spring.datasource.url, or define a DataSource",
                problems);
        if (dataSource == null) {
            return null;
        }
        PlatformTransactionManager manager = manager(beans, properties.transactionManager(), dataSource, problems);
        if (manager == null) {
            return null;
        }
        var transactions = new SpringTransactions(dataSource, manager);
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, TransactionManager.class, false, true)
                .values()
                .forEach(transactions::listenTo);
        return new Database(dataSource, transactions);
    }

    /** The one that was named, the only or primary one, or the only one of this data source. */
    private static @Nullable PlatformTransactionManager manager(
            ListableBeanFactory beans, String name, DataSource dataSource, Problems problems) {
        List<String> fitting = Arrays.stream(beans.getBeanNamesForType(PlatformTransactionManager.class))
                .filter(each -> isOf(beans.getBean(each, PlatformTransactionManager.class), dataSource))
                .toList();
        if (name.isEmpty() && fitting.size() == 1) {
            return beans.getBean(fitting.get(0), PlatformTransactionManager.class);
        }
        PlatformTransactionManager manager = one(
                beans,
                PlatformTransactionManager.class,
                MANAGER,
                name,
                "define a JdbcTransactionManager of the DataSource",
                problems);
        if (manager != null && !isOf(manager, dataSource)) {
            problems.add(
                    MANAGER,
                    name.isEmpty() ? null : name,
                    ClassUtils.getUserClass(manager).getName().equals(JTA)
                            ? "transactions of JTA cannot be joined: Waybill's tables are in one database, and so is its"
                                    + " transaction. Define a JdbcTransactionManager of the DataSource, and name it here."
                            : "the transaction manager is not that of Waybill's DataSource, so that messages would not share"
                                    + " the fate of your data. "
                                    + (fitting.isEmpty()
                                            ? "There is none of it: define a JdbcTransactionManager or a"
                                                    + " JpaTransactionManager of the DataSource, or name another"
                                                    + " waybill.data-source."
                                            : "Name the one that is: " + String.join(", ", fitting) + "."));
        } else if (manager != null && !(manager instanceof ConfigurableTransactionManager)) {
            problems.add(
                    MANAGER,
                    manager.getClass().getName(),
                    "it does not tell when its transactions begin: it must be a ConfigurableTransactionManager, as those of"
                            + " Spring are.");
        }
        return manager;
    }

    /** Whether its transactions are on this data source; of managers that nobody knows it is believed. */
    private static boolean isOf(PlatformTransactionManager manager, DataSource dataSource) {
        if (ClassUtils.getUserClass(manager).getName().equals(JTA)) {
            return false;
        }
        DataSource own = SpringTransactions.unwrapped(dataSource);
        return dataSourceOf(manager)
                .map(each -> SpringTransactions.unwrapped(each) == own)
                .orElse(!isKnown(manager));
    }

    private static boolean isKnown(PlatformTransactionManager manager) {
        return manager instanceof DataSourceTransactionManager || (JPA && Jpa.is(manager));
    }

    private static Optional<DataSource> dataSourceOf(PlatformTransactionManager manager) {
        if (manager instanceof DataSourceTransactionManager jdbc) {
            return Optional.ofNullable(jdbc.getDataSource());
        }
        return JPA ? Jpa.dataSourceOf(manager) : Optional.empty();
    }

    /** Apart, so that nothing of JPA is loaded where there is none. */
    private static final class Jpa {
        static boolean is(PlatformTransactionManager manager) {
            return manager instanceof JpaTransactionManager;
        }

        static Optional<DataSource> dataSourceOf(PlatformTransactionManager manager) {
            return manager instanceof JpaTransactionManager jpa
                    ? Optional.ofNullable(jpa.getDataSource())
                    : Optional.empty();
        }
    }

    private static <T> @Nullable T one(
            ListableBeanFactory beans, Class<T> type, String key, String name, String remedy, Problems problems) {
        String[] known = beans.getBeanNamesForType(type);
        String kind = type.getSimpleName();
        if (!name.isEmpty()) {
            if (beans.containsBean(name) && beans.isTypeMatch(name, type)) {
                return beans.getBean(name, type);
            }
            problems.add(
                    key, name, "there is no " + kind + " of this name. There are: " + String.join(", ", known) + ".");
            return null;
        }
        T only = beans.getBeanProvider(type).getIfUnique();
        if (only == null) {
            problems.add(
                    key,
                    null,
                    known.length == 0
                            ? "Waybill needs a database, but there is no " + kind + ": " + remedy + "."
                            : "there are " + known.length + " beans of type " + kind
                                    + " and none is primary: set it to one of " + String.join(", ", known) + ".");
        }
        return only;
    }
}
