package io.waybill.spring.console;

import static java.util.stream.Collectors.toSet;
import static org.springframework.security.config.Customizer.withDefaults;

import io.waybill.testkit.contract.framework.FrameworkConsoleContract.Application;
import io.waybill.testkit.contract.framework.FrameworkOidcContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.authority.mapping.GrantedAuthoritiesMapper;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.web.SecurityFilterChain;

/** With {@code oauth2Login()} of Spring Security. */
final class SpringOidcTest extends FrameworkOidcContract {

    @Override
    protected Application start(TestDatabase database, Map<String, String> settings, String issuer) {
        var all = new LinkedHashMap<>(settings);
        all.put("issuer", issuer);
        return SpringConsoleTest.running(
                SpringConsoleTest.application(Shop.class, WebApplicationType.SERVLET, database, all));
    }

    @Override
    protected String dataSource() {
        return "dataSource";
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableWebSecurity
    static class Shop {

        @Bean
        SecurityFilterChain security(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .oauth2Login(withDefaults())
                    .build();
        }

        @Bean
        ClientRegistrationRepository provider(@Value("${issuer}") String issuer) {
            return new InMemoryClientRegistrationRepository(ClientRegistrations.fromIssuerLocation(issuer)
                    .registrationId("provider")
                    .clientId("shop")
                    .clientSecret("secret")
                    .scope("openid")
                    .userNameAttributeName("preferred_username")
                    .build());
        }

        @Bean
        GrantedAuthoritiesMapper groups() {
            return authorities -> authorities.stream()
                    .filter(OidcUserAuthority.class::isInstance)
                    .flatMap(user -> groups((OidcUserAuthority) user).stream())
                    .map(SimpleGrantedAuthority::new)
                    .collect(toSet());
        }

        private static List<String> groups(OidcUserAuthority user) {
            List<String> groups = user.getIdToken().getClaimAsStringList("groups");
            return groups == null ? List.of() : groups;
        }
    }
}
