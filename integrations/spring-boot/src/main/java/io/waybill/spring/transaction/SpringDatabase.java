package io.waybill.spring.transaction;

import io.waybill.spring.settings.SpringProblems;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.util.ClassUtils;

/** Which of the application's data sources has the tables, and who makes its transactions. */
public record SpringDatabase(DataSource dataSource, SpringTransactions transactions) {

    private static final String JTA = "org.springframework.transaction.jta.JtaTransactionManager";
    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", SpringDatabase.class.getClassLoader());

    /**
     * The data source of this name, with its transactions.
     *
     * @param manager the name of its transaction manager, or nothing
     */
    static @Nullable SpringDatabase of(
            ConfigurableListableBeanFactory beans,
            String name,
            String managerKey,
            String manager,
            SpringProblems problems) {
        DataSource dataSource = beans.getBean(name, DataSource.class);
        PlatformTransactionManager found = manager(beans, managerKey, manager, dataSource, problems);
        if (found == null) {
            return null;
        }
        var transactions = new SpringTransactions(dataSource, found);
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, TransactionManager.class, false, true)
                .values()
                .forEach(transactions::listenTo);
        return new SpringDatabase(dataSource, transactions);
    }

    /** The one that was named, the only or primary one, or the only one of this data source. */
    private static @Nullable PlatformTransactionManager manager(
            ListableBeanFactory beans, String key, String name, DataSource dataSource, SpringProblems problems) {
        List<String> fitting = Arrays.stream(beans.getBeanNamesForType(PlatformTransactionManager.class))
                .filter(each -> isOf(beans.getBean(each, PlatformTransactionManager.class), dataSource))
                .toList();
        if (name.isEmpty() && fitting.size() == 1) {
            return beans.getBean(fitting.get(0), PlatformTransactionManager.class);
        }
        @Nullable PlatformTransactionManager manager = one(beans, key, name, problems);
        if (manager != null && !isOf(manager, dataSource)) {
            problems.add(
                    key,
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
                    key,
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

    private static @Nullable PlatformTransactionManager one(
            ListableBeanFactory beans, String key, String name, SpringProblems problems) {
        if (!name.isEmpty()) {
            if (beans.containsBean(name) && beans.isTypeMatch(name, PlatformTransactionManager.class)) {
                return beans.getBean(name, PlatformTransactionManager.class);
            }
            noneCalled(key, name, PlatformTransactionManager.class, beans, problems);
            return null;
        }
        @Nullable
        PlatformTransactionManager only =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (only == null) {
            noneChosen(
                    key,
                    PlatformTransactionManager.class,
                    "define a JdbcTransactionManager of the DataSource",
                    beans,
                    problems);
        }
        return only;
    }

    static void noneCalled(String key, String name, Class<?> type, ListableBeanFactory beans, SpringProblems problems) {
        problems.add(
                key,
                name,
                "there is no " + type.getSimpleName() + " of this name. There are: "
                        + String.join(", ", beans.getBeanNamesForType(type)) + ".");
    }

    static void noneChosen(
            String key, Class<?> type, String remedy, ListableBeanFactory beans, SpringProblems problems) {
        String[] known = beans.getBeanNamesForType(type);
        problems.add(
                key,
                null,
                known.length == 0
                        ? "Waybill needs a database, but there is no " + type.getSimpleName() + ": " + remedy + "."
                        : "there are " + known.length + " beans of type " + type.getSimpleName()
                                + " and none is primary: set it to one of " + String.join(", ", known) + ".");
    }
}
