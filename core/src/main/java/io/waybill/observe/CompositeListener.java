package io.waybill.observe;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Two listeners of the same kind as one: each notification goes to the first and then to the second. Whatever notifications the interface
 * has, none is forgotten here. Native images know these interfaces from {@code META-INF/native-image}.
 */
public final class CompositeListener<T> implements InvocationHandler {

    private final T first;
    private final T second;

    private CompositeListener(T first, T second) {
        this.first = first;
        this.second = second;
    }

    /**
     * Notifies the first, then the second.
     *
     * @param kind the interface of both, whose notifications return nothing
     */
    public static <T> T of(Class<T> kind, T first, T second) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, new CompositeListener<>(first, second)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            // Of these only equals has an argument.
            return arguments == null ? call(this, method, null) : proxy == arguments[0];
        }
        if (method.getReturnType() != void.class) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        call(first, method, arguments);
        return call(second, method, arguments);
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
