package io.waybill.spring;

import io.waybill.command.CommandHandler;
import io.waybill.command.DomainCommand;
import io.waybill.command.HandlerCandidate;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** The beans whose methods handle commands. Spring gives the proxy of a bean where there is one, so transactions are the bean's. */
final class HandlerBeans {

    private static final Logger log = LoggerFactory.getLogger(HandlerBeans.class);

    private HandlerBeans() {}

    static List<HandlerCandidate> among(Map<String, Class<?>> types, BeanFactory beans) {
        return types.entrySet().stream()
                .filter(bean -> handlesCommands(bean.getValue()))
                .map(bean -> HandlerCandidate.later(() -> beans.getBean(bean.getKey()), bean.getValue(), true))
                .toList();
    }

    private static boolean handlesCommands(Class<?> type) {
        try {
            return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)).anyMatch(HandlerBeans::takesCommand);
        } catch (IllegalStateException | LinkageError e) {
            log.debug("{} has methods that need classes which are not there; it is no handler.", type.getName(), e);
            return false;
        }
    }

    private static boolean takesCommand(Method method) {
        return method.isAnnotationPresent(CommandHandler.class)
                || (method.getParameterCount() == 1
                        && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0]));
    }
}
