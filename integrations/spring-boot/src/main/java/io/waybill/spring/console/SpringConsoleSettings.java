package io.waybill.spring.console;

import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.embed.EmbeddedConsole;
import io.waybill.console.embed.EmbeddedConsoleSettings;
import io.waybill.console.embed.EmbeddedConsoleSettings.Authentication;
import io.waybill.console.embed.SettingProblems;
import io.waybill.runtime.Waybill;
import io.waybill.spring.SpringInstances;
import io.waybill.spring.settings.SpringProblems;
import io.waybill.spring.settings.WaybillProperties;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/** The settings under {@code waybill.console}, in an application that may authenticate its users and may be behind a proxy. */
final class SpringConsoleSettings {

    private static final Logger log = LoggerFactory.getLogger(SpringConsoleSettings.class);
    private static final String PREFIX = "waybill.console.";
    private static final String STRATEGY = "server.forward-headers-strategy";

    private final EmbeddedConsoleSettings settings;
    private final Authentication authentication;
    private final boolean addressesReplaced;

    SpringConsoleSettings(
            WaybillProperties.ConsoleProperties console, ListableBeanFactory beans, Environment environment) {
        this.settings = new EmbeddedConsoleSettings(
                console.path(),
                console.readOnly(),
                console.mask(),
                console.users(),
                console.localAdmin(),
                console.roles(),
                console.trustedProxies(),
                console.proxyAddressHeader(),
                console.proxyProtocolHeader(),
                console.proxyUserHeader(),
                console.proxyRoleHeader());
        this.addressesReplaced = replacesAddresses(environment);
        if (SpringSecurity.isActive(beans)) {
            this.authentication = Authentication.APPLICATION;
        } else {
            this.authentication = addressesReplaced ? Authentication.NONE_BEHIND_HEADERS : Authentication.NONE;
        }
    }

    /** Whether the web server takes the addresses of clients from headers: then the address of the proxy is not known any more. */
    private static boolean replacesAddresses(Environment environment) {
        String strategy = environment.getProperty(STRATEGY, "");
        if (!strategy.isEmpty()) {
            return strategy.equalsIgnoreCase("native");
        }
        @Nullable CloudPlatform platform = CloudPlatform.getActive(environment);
        return (platform != null && platform.isUsingForwardHeaders())
                || environment.containsProperty("server.tomcat.remoteip.remote-ip-header")
                || environment.containsProperty("server.tomcat.remoteip.protocol-header");
    }

    void check(SpringProblems problems) {
        settings.check(authentication, to(problems));
        if (addressesReplaced && !settings.trustedProxies().isEmpty()) {
            problems.add(
                    PREFIX + "trusted-proxies",
                    String.join(", ", settings.trustedProxies()),
                    "the web server replaces the address of the proxy by that of the client, so the proxy would not be recognised. Set "
                            + STRATEGY
                            + " to framework or none, or remove this setting: then the server's word counts for the address,"
                            + " and no header for the user.");
        }
    }

    EmbeddedConsole console(Waybill waybill, ObjectProvider<SpringInstances> instances, SpringProblems problems) {
        check(problems);
        problems.report();
        Optional<EmbeddedConsole> made = settings.console(databases(waybill, instances), authentication, to(problems));
        problems.report();
        EmbeddedConsole console = made.orElseThrow();
        if (settings.isForNobody(authentication)) {
            log.warn(
                    "WB-652 Nobody can use the console at {}: it has no users, and the web server takes addresses from headers, so"
                            + " nobody is known to be on this machine. Set waybill.console.users, or add Spring Security.",
                    console.path());
        }
        log.info("The console of Waybill is at {}.", console.path());
        return console;
    }

    private static List<ConsoleDatabase> databases(Waybill waybill, ObjectProvider<SpringInstances> instances) {
        SpringInstances made = instances.getIfAvailable();
        return made == null
                ? List.of(EmbeddedConsole.database("waybill", waybill.store()))
                : made.all().stream()
                        .map(each -> EmbeddedConsole.database(
                                each.name(), each.waybill().store()))
                        .toList();
    }

    private static SettingProblems to(SpringProblems problems) {
        return (setting, value, rule) -> problems.add(PREFIX + setting, value.isEmpty() ? null : value, rule);
    }
}
