package io.waybill.spring.beans;

import io.waybill.inbox.Received;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a method of a bean that is asked for with the first message.
 *
 * @param whole whether the method takes the message with its headers, or the payload alone
 */
record BeanCall(Supplier<Object> bean, Method method, boolean whole) {

    void handle(Received<?> received) throws Exception {
        Object target = bean.get();
        Method called = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(called);
        try {
            called.invoke(target, whole ? received : received.payload());
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }
}
