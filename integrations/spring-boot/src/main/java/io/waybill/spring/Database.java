package io.waybill.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Which of the application's data sources has the tables, and who makes its transactions. */
record Database(DataSource dataSource, SpringTransactions transactions) {

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
        PlatformTransactionManager manager = one(
                beans,
                PlatformTransactionManager.class,
                "waybill.transaction-manager",
                properties.transactionManager(),
                "define a JdbcTransactionManager of the DataSource",
                problems);
        if (manager == null) {
            return null;
        }
        if (manager instanceof DataSourceTransactionManager jdbc
                && SpringTransactions.unwrapped(dataSource) != jdbc.getDataSource()) {
            problems.add(
                    "waybill.transaction-manager",
                    properties.transactionManager().isEmpty() ? null : properties.transactionManager(),
                    "the transaction manager is not that of Waybill's DataSource, so that messages would not share the fate of"
                            + " your data. Name the one that is: "
                            + String.join(", ", beans.getBeanNamesForType(PlatformTransactionManager.class)) + ".");
        }
        return new Database(dataSource, new SpringTransactions(dataSource, manager));
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
