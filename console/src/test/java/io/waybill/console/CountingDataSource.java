package io.waybill.console;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts the statements that are run. */
public final class CountingDataSource {

    private static final Set<String> RUNS = Set.of("execute", "executeQuery", "executeUpdate", "executeBatch");

    public final AtomicInteger statements = new AtomicInteger();

    public DataSource around(DataSource dataSource) {
        return proxy(DataSource.class, dataSource);
    }

    private <T> T proxy(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (target instanceof Statement && RUNS.contains(method.getName())) {
                        statements.incrementAndGet();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        boolean wrapped = result instanceof Connection || result instanceof Statement;
                        return wrapped ? proxy(method.getReturnType(), result) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
