package io.waybill.micronaut.console;

import io.micronaut.context.annotation.Requires;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.filters.SecurityFilter;
import jakarta.inject.Singleton;
import java.security.Principal;
import java.util.Set;
import java.util.function.Predicate;

/** The roles that Micronaut Security knows of somebody. */
@Singleton
@Requires(classes = SecurityFilter.class)
@Requires(beans = SecurityFilter.class)
final class MicronautSecurity implements MicronautAuthorities {

    @Override
    public Predicate<String> of(Principal somebody) {
        Set<String> roles =
                somebody instanceof Authentication authentication ? Set.copyOf(authentication.getRoles()) : Set.of();
        return roles::contains;
    }
}
