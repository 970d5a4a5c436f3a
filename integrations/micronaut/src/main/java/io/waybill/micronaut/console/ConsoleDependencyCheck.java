package io.waybill.micronaut.console;

import io.micronaut.context.annotation.Requires;
import io.waybill.micronaut.settings.MicronautCheck;
import io.waybill.micronaut.settings.MicronautProblems;
import jakarta.inject.Singleton;

/** Refuses to start without the console that is asked for. */
@Singleton
@Requires(property = "waybill.console.enabled", value = "true")
@Requires(missingClasses = "io.waybill.console.embed.EmbeddedConsole")
final class ConsoleDependencyCheck implements MicronautCheck {

    @Override
    public void look(MicronautProblems problems) {
        problems.add(
                "waybill.console.enabled",
                "true",
                "The console is not on the class path: add the dependency io.waybill:waybill-console.");
    }
}
