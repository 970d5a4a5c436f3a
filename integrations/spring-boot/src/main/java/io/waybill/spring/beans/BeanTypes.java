package io.waybill.spring.beans;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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

    /** Controllers take commands from their callers. */
    private static boolean mayHandle(Class<?> type) {
        String name = type.getName();
        return !name.startsWith("org.springframework.")
                && !name.startsWith("java")
                && !name.startsWith("jakarta.")
                && !AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    }
}
