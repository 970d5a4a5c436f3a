package io.waybill.spring.beans;

import io.waybill.command.CommandHandler;
import io.waybill.command.DomainCommand;
import io.waybill.command.handler.HandlerCandidate;
import io.waybill.inbox.HandlerSignature;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** The beans whose methods handle commands. Spring gives the proxy of a bean where there is one, so transactions are the bean's. */
public final class SpringHandlerBeans {

    private static final Logger log = LoggerFactory.getLogger(SpringHandlerBeans.class);

    private SpringHandlerBeans() {}

    public static List<HandlerCandidate> among(
            Map<String, Class<?>> types, BeanFactory beans, SpringHandlerCheck check) {
        List<HandlerCandidate> found = new ArrayList<>();
        types.forEach((name, type) -> {
            if (handlesCommands(type)) {
                Class<?> written = SpringHandlerCheck.written(type);
                methods(written).forEach(method -> check.look(name, written, method));
                found.add(HandlerCandidate.later(() -> beans.getBean(name), written, true));
            }
        });
        return found;
    }

    /** Those that handle commands, and those that are meant to and cannot. */
    public static List<Method> methods(Class<?> type) {
        if (!handlesCommands(type)) {
            return List.of();
        }
        Class<?> written = SpringHandlerCheck.written(type);
        return Stream.concat(
                        HandlerCandidate.later(() -> written, written, true).methods().stream(), suspending(written))
                .toList();
    }

    /** Functions of Kotlin that nobody would find: their classes have a second parameter. */
    private static Stream<Method> suspending(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 2
                        && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0])
                        && HandlerSignature.isSuspending(method));
    }

    private static boolean handlesCommands(Class<?> type) {
        try {
            return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type))
                    .anyMatch(SpringHandlerBeans::takesCommand);
        } catch (IllegalStateException | LinkageError e) {
            log.debug("{} has methods that need classes which are not there; it is no handler.", type.getName(), e);
            return false;
        }
    }

    private static boolean takesCommand(Method method) {
        return method.isAnnotationPresent(CommandHandler.class)
                || ((method.getParameterCount() == 1
                                || (method.getParameterCount() == 2 && HandlerSignature.isSuspending(method)))
                        && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0]));
    }
}
