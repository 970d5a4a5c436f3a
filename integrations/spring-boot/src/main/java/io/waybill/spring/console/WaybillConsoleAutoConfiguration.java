package io.waybill.spring.console;

import io.waybill.console.embed.EmbeddedConsole;
import io.waybill.runtime.Waybill;
import io.waybill.spring.SpringInstances;
import io.waybill.spring.WaybillAutoConfiguration;
import io.waybill.spring.settings.SpringProblems;
import io.waybill.spring.settings.StartupCheck;
import io.waybill.spring.settings.WaybillProperties;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** The console under {@code waybill.console.path}, where {@code waybill.console.enabled} is true. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnProperty(name = "waybill.console.enabled", havingValue = "true")
@ConditionalOnBean(name = "waybillLifecycle", search = SearchStrategy.CURRENT)
public class WaybillConsoleAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(WaybillConsoleAutoConfiguration.class);

    /** Before the controllers of the application, one of which may take every path. */
    private static final int ORDER = -100;

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("io.waybill.console.embed.EmbeddedConsole")
    static class Missing {

        @Bean
        static StartupCheck waybillConsoleCheck() {
            return problems -> problems.refuse(
                    "waybill.console.enabled",
                    "the console is not on the class path. Add the dependency io.waybill:waybill-console.");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({EmbeddedConsole.class, DispatcherServlet.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Served {

        @Bean
        static StartupCheck waybillConsoleCheck(
                WaybillProperties properties, ListableBeanFactory beans, Environment environment) {
            return problems -> new SpringConsoleSettings(properties.console(), beans, environment).check(problems);
        }

        @Bean
        static SimpleUrlHandlerMapping waybillConsole(
                WaybillProperties properties,
                Waybill waybill,
                ObjectProvider<SpringInstances> instances,
                SpringProblems problems,
                ListableBeanFactory beans,
                Environment environment) {
            EmbeddedConsole console = new SpringConsoleSettings(properties.console(), beans, environment)
                    .console(waybill, instances, problems);
            var handler = new SpringConsole(console);
            return new SimpleUrlHandlerMapping(Map.of(console.path(), handler, console.path() + "/**", handler), ORDER);
        }
    }

    /** What is enabled and cannot be there is said: the same settings may belong to a part of the application that has a web server. */
    @Bean
    @ConditionalOnClass(name = "io.waybill.console.embed.EmbeddedConsole")
    @ConditionalOnMissingBean(name = "waybillConsole")
    static SmartInitializingSingleton waybillConsoleIsNotServed() {
        return () -> log.warn(
                "WB-651 waybill.console.enabled is true, but the console is not served here: {}. The command 'waybill console' serves it.",
                "it needs a servlet web server with Spring MVC");
    }
}
