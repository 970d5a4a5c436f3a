package io.waybill.spring.beans;

import io.waybill.inbox.HandlerSignature;
import io.waybill.inbox.ReferencedClasses;
import io.waybill.spring.settings.SpringProblems;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.ClassUtils;

/** Whether the methods that handle messages can do it. What would fail with the first message, or be lost, is refused at the start. */
public final class SpringHandlerCheck {

    /** Scopes that belong to a request, and messages have none. */
    private static final Set<String> OF_REQUESTS = Set.of("request", "session", "websocket");

    private final ConfigurableListableBeanFactory beans;
    private final SpringProblems problems;
    private final AnnotationTransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);
    private final List<Handler> handlers = new ArrayList<>();

    private record Handler(String bean, Class<?> type, Method method) {

        String description() {
            return type.getName() + "." + method.getName();
        }

        boolean isSame(Handler other) {
            return bean.equals(other.bean)
                    && method.getName().equals(other.method.getName())
                    && Arrays.equals(method.getParameterTypes(), other.method.getParameterTypes());
        }
    }

    public SpringHandlerCheck(ConfigurableListableBeanFactory beans, SpringProblems problems) {
        this.beans = beans;
        this.problems = problems;
    }

    /** The class that somebody wrote: one of configuration has a subclass that Spring made. */
    public static Class<?> written(Class<?> type) {
        return ClassUtils.getUserClass(type);
    }

    /** Looks at what is known before the bean is made, which may need Waybill. */
    void look(String bean, Class<?> type, Method method) {
        var handler = new Handler(bean, written(type), method);
        handlers.add(handler);
        HandlerSignature.problem(method)
                .or(() -> async(handler))
                .or(() -> scope(bean))
                .or(() -> transaction(handler))
                .or(() -> expectedProxy(handler))
                .ifPresent(problem -> problems.refuse(handler.description(), problem));
    }

    /** Makes all beans that handle anything: one that cannot be made fails the start, and so does one that is wrapped too tightly. */
    public void lookAtProxies() {
        for (Handler handler : handlers) {
            proxy(handler, beans.getBean(handler.bean()).getClass())
                    .ifPresent(problem -> problems.refuse(handler.description(), problem));
        }
    }

    /** Handlers of beans whose definitions speak of an interface only, so that nobody has found them. */
    public void lookForHidden() {
        BeanTypes.made(beans)
                .forEach((bean, type) -> methods(type)
                        .map(method -> new Handler(bean, written(type), method))
                        .filter(handler -> handlers.stream().noneMatch(handler::isSame))
                        .forEach(handler -> problems.refuse(
                                handler.description(),
                                "the definition of its bean '" + bean
                                        + "' does not show this method, so that it would never get a message. Let its @Bean method"
                                        + " return " + handler.type().getSimpleName() + " instead of a supertype.")));
    }

    /** The same without making a bean, from the class files of their factories: asked when the start is refused anyway. */
    public void lookForHiddenInFactories() {
        for (Method factory : BeanTypes.factoryMethods(beans)) {
            Class<?> declared = factory.getReturnType();
            ReferencedClasses.of(written(factory.getDeclaringClass()))
                    .filter(type -> declared.isAssignableFrom(type)
                            && !Modifier.isAbstract(type.getModifiers())
                            && handlers.stream().noneMatch(handler -> handler.type() == type))
                    .forEach(type -> methods(type)
                            .forEach(method -> problems.refuse(
                                    type.getName() + "." + method.getName(),
                                    "a @Bean method of "
                                            + factory.getDeclaringClass().getName() + " returns "
                                            + declared.getSimpleName()
                                            + ", which does not show this method, so that it would never get a message."
                                            + " Let it return " + type.getSimpleName() + ".")));
        }
    }

    private static Stream<Method> methods(Class<?> type) {
        return Stream.concat(
                SpringHandlerBeans.methods(type).stream(), SpringSubscriberBeans.methods(type).keySet().stream());
    }

    private static Optional<String> async(Handler handler) {
        return AnnotatedElementUtils.hasAnnotation(handler.method(), Async.class)
                        || AnnotatedElementUtils.hasAnnotation(handler.type(), Async.class)
                ? Optional.of(
                        "@Async lets it run in another thread: its message would count as handled before it is, and its"
                                + " exception be lost. Remove @Async; handlers have threads of their own.")
                : Optional.empty();
    }

    private Optional<String> scope(String bean) {
        String target = ScopedProxyUtils.getTargetBeanName(bean);
        boolean scoped = beans.containsBeanDefinition(target);
        String name = scoped ? target : bean;
        String scope = beans.containsBeanDefinition(name)
                ? beans.getMergedBeanDefinition(name).getScope()
                : null;
        boolean works = scope == null
                || scope.isEmpty()
                || scope.equals("singleton")
                || (scoped && !OF_REQUESTS.contains(scope));
        return works
                ? Optional.empty()
                : Optional.of("the bean '" + bean + "' has the scope '" + scope
                        + "', and a message is no request. Handlers are singletons: move the method to one.");
    }

    private Optional<String> transaction(Handler handler) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(handler.method(), handler.type());
        if (attribute == null) {
            return Optional.empty();
        }
        if (attribute.getPropagationBehavior() == TransactionDefinition.PROPAGATION_NEVER) {
            return Optional.of("@Transactional wants no transaction (NEVER), and handlers run inside of one.");
        }
        boolean joins = attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_REQUIRES_NEW
                && attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
        return joins && attribute.getIsolationLevel() != TransactionDefinition.ISOLATION_DEFAULT
                ? Optional.of(
                        "@Transactional asks for an isolation that it would not get: it joins the transaction that takes"
                                + " its message. Remove isolation, lock the rows that matter, or set the default isolation of the"
                                + " DataSource.")
                : Optional.empty();
    }

    /** Whatever wraps beans, for transactions or for aspects of the application, says which proxy a bean will get. */
    private Optional<String> expectedProxy(Handler handler) {
        try {
            return proxy(handler, BeanTypes.expected(beans, handler.bean(), handler.type()));
        } catch (AopConfigException e) {
            return Modifier.isFinal(handler.type().getModifiers())
                    ? Optional.of(
                            "its class is final, and its bean has to be wrapped in a proxy, which is a subclass. Make the"
                                    + " class not final (in Kotlin: open, or the compiler plugin 'spring').")
                    : Optional.empty();
        }
    }

    private static boolean isHidden(Handler handler) {
        int modifiers = handler.method().getModifiers();
        return Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers);
    }

    private static String hidden(Handler handler) {
        return "it is " + (Modifier.isPrivate(handler.method().getModifiers()) ? "private" : "final")
                + ", and its bean is wrapped in a proxy that cannot pass such a call on. Make it public and not final"
                + " (in Kotlin: open, or the compiler plugin 'spring').";
    }

    private static Optional<String> proxy(Handler handler, Class<?> bean) {
        if (!SpringProxy.class.isAssignableFrom(bean)) {
            return Optional.empty();
        }
        if (Proxy.isProxyClass(bean)) {
            return ClassUtils.hasMethod(
                            bean, handler.method().getName(), handler.method().getParameterTypes())
                    ? Optional.empty()
                    : Optional.of(
                            "the bean is wrapped in a proxy of its interfaces, which do not have this method. Add it to"
                                    + " one of them, or set spring.aop.proxy-target-class=true.");
        }
        return isHidden(handler) ? Optional.of(hidden(handler)) : Optional.empty();
    }
}
