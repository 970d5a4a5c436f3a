package io.waybill.command.handler;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

/**
 * A bean in which handlers are looked for.
 *
 * @param implementation the class that the application wrote
 * @param proxy whether the bean wraps it, in transactions for example; preferred to the plain bean
 */
public record HandlerCandidate(Object bean, Class<?> implementation, boolean proxy) {

    /** A plain object. */
    public static HandlerCandidate of(Object bean) {
        return new HandlerCandidate(bean, bean.getClass(), false);
    }

    /** A bean that is asked for with its first command: it may need the command bus itself. */
    public static HandlerCandidate later(Supplier<?> bean, Class<?> implementation, boolean proxy) {
        return new HandlerCandidate(new Later(bean), implementation, proxy);
    }

    /** Its methods that handle commands. */
    public List<Method> methods() {
        return HandlerMethods.in(this).stream()
                .map(HandlerMethods.Found::method)
                .toList();
    }

    /** A bean that may not be there yet. */
    record Later(Supplier<?> bean) {}
}
