package io.waybill.spring;

import io.waybill.process.ProcessConfiguration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/** The beans that the application wrote, by name, with their classes: known before they are made, because they may need Waybill. */
final class BeanTypes {

    private BeanTypes() {}

    static Map<String, Class<?>> of(ConfigurableListableBeanFactory beans) {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(Object.class, false, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && mayHandle(type)) {
                types.put(name, type);
            }
        }
        return types;
    }

    /** Controllers take commands from their callers, and definitions of processes only speak of them. */
    private static boolean mayHandle(Class<?> type) {
        String name = type.getName();
        return !name.startsWith("org.springframework.")
                && !name.startsWith("java")
                && !name.startsWith("jakarta.")
                && !ProcessConfiguration.class.isAssignableFrom(type)
                && !AnnotatedElementUtils.hasAnnotation(type, Controller.class);
    }
}
