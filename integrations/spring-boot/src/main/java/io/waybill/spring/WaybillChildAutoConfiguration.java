package io.waybill.spring;

import io.waybill.spring.beans.Ancestors;
import io.waybill.spring.beans.BeanTypes;
import io.waybill.spring.beans.SpringHandlerBeans;
import io.waybill.spring.beans.SpringHandlerCheck;
import io.waybill.spring.beans.SpringSubscriberBeans;
import io.waybill.spring.settings.SpringProblems;
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
            var problems = new SpringProblems();
            BeanTypes.of(beans).forEach((name, type) -> {
                var methods = new ArrayList<>(SpringHandlerBeans.methods(type));
                methods.addAll(SpringSubscriberBeans.methods(type).keySet());
                methods.forEach(method -> problems.refuse(
                        SpringHandlerCheck.written(type).getName() + "." + method.getName(),
                        "Waybill is in a parent of this context, and would never find it. Move the bean '" + name
                                + "' to the context that has Waybill."));
            });
            problems.report();
        };
    }
}
