package io.waybill.spring.beans;

import io.waybill.runtime.Waybill;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether a context above this one has Waybill already. */
public abstract class Ancestors implements ConfigurationCondition {

    private final boolean wanted;

    private Ancestors(boolean wanted) {
        this.wanted = wanted;
    }

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfigurableListableBeanFactory own = context.getBeanFactory();
        BeanFactory parent = own == null ? null : own.getParentBeanFactory();
        boolean above = parent instanceof ListableBeanFactory beans
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Waybill.class, true, false).length > 0;
        return above == wanted;
    }

    /** One of them has it. */
    public static final class HaveWaybill extends Ancestors implements Condition {
        HaveWaybill() {
            super(true);
        }
    }

    /** None of them has it, or there is none. */
    public static final class HaveNone extends Ancestors implements Condition {
        HaveNone() {
            super(false);
        }
    }
}
