package io.waybill.spring.beans;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/** The beans that the application wrote, by name, with their classes: known before they are made, because they may need Waybill. */
public final class BeanTypes {

    private BeanTypes() {}

    public static Map<String, Class<?>> of(ConfigurableListableBeanFactory beans) {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && mayHandle(type)) {
                types.put(name, type);
            }
        }
        return types;
    }

    /** The classes of those that are made, which may be more than what their definitions say. */
    static Map<String, Class<?>> made(ConfigurableListableBeanFactory beans) {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean != null
                    && !(bean instanceof FactoryBean)
                    && !ScopedProxyUtils.isScopedTarget(name)
                    && mayHandle(AopUtils.getTargetClass(bean))) {
                types.put(name, AopUtils.getTargetClass(bean));
            }
        }
        return types;
    }

    /** The class that a bean will have when it is made, which is that of a proxy where anything wraps it. */
    static Class<?> expected(ConfigurableListableBeanFactory beans, String name, Class<?> written) {
        boolean scoped = beans.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(name));
        if (!scoped && beans instanceof AbstractBeanFactory factory) {
            for (BeanPostProcessor each : factory.getBeanPostProcessors()) {
                if (each instanceof SmartInstantiationAwareBeanPostProcessor processor) {
                    // Some of them know of no proxy, and say what the definition says.
                    Class<?> type = processor.determineBeanType(written, name);
                    if (SpringProxy.class.isAssignableFrom(type)) {
                        return type;
                    }
                }
            }
        }
        return written;
    }

    /** Those that speak of a supertype: what is behind it is seen when the bean is made. */
    static List<Method> factoryMethods(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .map(beans::getMergedBeanDefinition)
                .filter(RootBeanDefinition.class::isInstance)
                .map(definition -> ((RootBeanDefinition) definition).getResolvedFactoryMethod())
                .filter(method -> method != null
                        && Modifier.isAbstract(method.getReturnType().getModifiers())
                        && mayHandle(method.getDeclaringClass()))
                .toList();
    }

    /** Controllers take commands from their callers. */
    private static boolean mayHandle(Class<?> type) {
        String name = type.getName();
        return !name.startsWith("org.springframework.")
                && !name.startsWith("java")
                && !name.startsWith("jakarta.")
                && !AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    }
}
