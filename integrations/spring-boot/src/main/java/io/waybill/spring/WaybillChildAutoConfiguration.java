package io.waybill.spring;

import java.util.ArrayList;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** A context below one that has Waybill uses that one, which starts, stops and hears events once, and does not see handlers down here. */
@AutoConfiguration
@Conditional(Ancestors.HaveWaybill.class)
public class WaybillChildAutoConfiguration {

    @Bean
    static SmartInitializingSingleton waybillHandlersOfChild(ConfigurableListableBeanFactory beans) {
        return () -> {
            var problems = new Problems();
            BeanTypes.of(beans).forEach((name, type) -> {
                var methods = new ArrayList<>(HandlerBeans.methods(type));
                methods.addAll(SubscriberBeans.methods(type).keySet());
                methods.forEach(method -> problems.refuse(
                        HandlerCheck.written(type).getName() + "." + method.getName(),
                        "Waybill is in a parent of this context, and would never find it. Move the bean '" + name
                                + "' to the context that has Waybill."));
            });
            problems.report();
        };
    }
}
