package io.waybill.micronaut.console;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import io.waybill.console.embed.EmbeddedConsole;
import io.waybill.micronaut.WaybillBeans;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says where the console is, or that it is not there. */
@Singleton
@Requires(beans = WaybillBeans.class)
@Requires(property = "waybill.console.enabled", value = "true")
@Requires(classes = EmbeddedConsole.class)
final class ConsoleStart {

    private static final Logger log = LoggerFactory.getLogger(ConsoleStart.class);

    private final BeanContext beans;

    ConsoleStart(BeanContext beans) {
        this.beans = beans;
    }

    @EventListener
    void started(StartupEvent event) {
        if (!beans.containsBean(EmbeddedServer.class)) {
            log.warn(
                    "WB-651 waybill.console.enabled is true, but the console is not served here: {}. The command 'waybill console' serves it.",
                    "it needs a web server");
        }
    }

    @EventListener
    void listening(ServerStartupEvent event) {
        log.info(
                "The console of Waybill is at {}.",
                beans.getBean(EmbeddedConsole.class).path());
    }
}
