package io.waybill.micronaut.console;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.http.annotation.Controller;
import io.waybill.console.embed.EmbeddedConsole;
import io.waybill.console.embed.EmbeddedConsoleSettings.Authentication;
import io.waybill.micronaut.MicronautInstances;
import io.waybill.micronaut.WaybillBeans;
import io.waybill.micronaut.settings.MicronautCheck;
import io.waybill.micronaut.settings.MicronautConsoleSettings;
import io.waybill.micronaut.settings.MicronautProblems;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The console of all instances, where {@code waybill.console.enabled} is true. */
@Factory
@Requires(beans = WaybillBeans.class)
@Requires(property = "waybill.console.enabled", value = "true")
@Requires(classes = {EmbeddedConsole.class, Controller.class})
public final class MicronautConsole {

    private final Environment environment;
    private final Authentication authentication;

    MicronautConsole(Environment environment, Optional<MicronautAuthorities> authorities) {
        this.environment = environment;
        this.authentication = authorities.isPresent() ? Authentication.APPLICATION : Authentication.NONE;
    }

    @Singleton
    MicronautCheck check() {
        return problems -> MicronautConsoleSettings.of(environment, problems)
                .check(authentication, MicronautConsoleSettings.to(problems));
    }

    @Singleton
    EmbeddedConsole console(MicronautInstances instances) {
        var problems = new MicronautProblems();
        Optional<EmbeddedConsole> made = MicronautConsoleSettings.of(environment, problems)
                .console(
                        instances.all().stream()
                                .map(each -> EmbeddedConsole.database(
                                        each.name(), each.waybill().store()))
                                .toList(),
                        authentication,
                        MicronautConsoleSettings.to(problems));
        problems.report();
        return made.orElseThrow();
    }
}
