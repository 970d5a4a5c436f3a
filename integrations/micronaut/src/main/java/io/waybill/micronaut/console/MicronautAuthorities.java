package io.waybill.micronaut.console;

import java.security.Principal;
import java.util.function.Predicate;

/** What somebody has whom the application has authenticated. */
interface MicronautAuthorities {

    Predicate<String> of(Principal somebody);
}
