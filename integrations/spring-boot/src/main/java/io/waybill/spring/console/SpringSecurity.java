package io.waybill.spring.console;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/** What Spring Security knows of a request, where the application has it. */
final class SpringSecurity {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.security.web.SecurityFilterChain", SpringSecurity.class.getClassLoader());

    private SpringSecurity() {}

    static boolean isActive(ListableBeanFactory beans) {
        return PRESENT && Present.isActive(beans);
    }

    /** Whether somebody has an authority; without Spring Security a role of the web server. */
    static Predicate<String> authorities(HttpServletRequest request, Principal principal) {
        return PRESENT ? Present.authorities(request, principal) : request::isUserInRole;
    }

    /** A header that a request must have to change something. */
    record CsrfHeader(String name, String value) {}

    static Optional<CsrfHeader> csrf(HttpServletRequest request) {
        return PRESENT ? Present.csrf(request) : Optional.empty();
    }

    /** Loaded only where its classes are. */
    private static final class Present {

        static boolean isActive(ListableBeanFactory beans) {
            return beans.getBeanNamesForType(SecurityFilterChain.class, true, false).length > 0;
        }

        static Predicate<String> authorities(HttpServletRequest request, Principal principal) {
            if (principal instanceof Authentication authentication) {
                Set<String> names = authentication.getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet());
                return names::contains;
            }
            return request::isUserInRole;
        }

        static Optional<CsrfHeader> csrf(HttpServletRequest request) {
            return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                    ? Optional.of(new CsrfHeader(token.getHeaderName(), token.getToken()))
                    : Optional.empty();
        }
    }
}
