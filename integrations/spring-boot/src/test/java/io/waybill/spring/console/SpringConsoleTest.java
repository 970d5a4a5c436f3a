package io.waybill.spring.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.config.Customizer.withDefaults;

import io.waybill.spring.SpringFixture;
import io.waybill.spring.TestApplication;
import io.waybill.testkit.contract.framework.FrameworkConsoleContract;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The console on Spring's embedded server, with Spring Security's filters and without. */
final class SpringConsoleTest extends FrameworkConsoleContract {

    @Override
    protected Application start(TestDatabase database, Map<String, String> settings) {
        return running(application(Shop.class, WebApplicationType.SERVLET, database, settings));
    }

    @Override
    protected Application startSecured(TestDatabase database, Map<String, String> settings) {
        return running(application(Guarded.class, WebApplicationType.SERVLET, database, settings));
    }

    @Override
    protected String contextPathSetting() {
        return "server.servlet.context-path";
    }

    @Override
    protected String dataSource() {
        return "dataSource";
    }

    @Test
    void a_header_that_the_server_believes_makes_nobody_local() throws Exception {
        for (String strategy : new String[] {"framework", "native"}) {
            try (TestDatabase database = H2.newDatabase();
                    Application application = start(
                            database,
                            Map.of(
                                    "waybill.console.enabled", "true",
                                    "waybill.console.local-admin", "true",
                                    "server.forward-headers-strategy", strategy))) {
                var spoofed = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + application.port() + "/waybill/api/databases"))
                        .header("X-Forwarded-For", "127.0.0.1")
                        .header("X-Forwarded-Host", "localhost")
                        .build();

                HttpResponse<String> response = HttpClient.newHttpClient().send(spoofed, BodyHandlers.ofString());

                assertThat(response.statusCode()).as(strategy).isIn(401, 403);
            }
        }
    }

    @Test
    void trusted_proxies_that_the_server_hides_are_refused() {
        try (TestDatabase database = H2.newDatabase()) {
            var settings = Map.of(
                    "waybill.console.enabled", "true",
                    "waybill.console.trusted-proxies", "10.0.0.0/8",
                    "waybill.console.proxy-user-header", "X-Forwarded-User",
                    "server.forward-headers-strategy", "native");

            assertThatThrownBy(() -> start(database, settings).close())
                    .hasStackTraceContaining("server.forward-headers-strategy to framework or none");
        }
    }

    @Test
    void an_application_without_spring_mvc_says_that_it_has_no_console() {
        var application = TestApplication.onH2()
                .withConfiguration(AutoConfigurations.of(WaybillConsoleAutoConfiguration.class))
                .withPropertyValues("waybill.console.enabled=true");

        assertThat(TestApplication.warnings(application, WaybillConsoleAutoConfiguration.class))
                .singleElement()
                .asString()
                .startsWith("WB-651 ")
                .contains("Spring MVC");
    }

    @Test
    void a_console_that_is_not_on_the_class_path_is_refused_and_needs_no_setting_to_be_absent() {
        var without = new FilteredClassLoader("io.waybill.console");
        try (TestDatabase database = H2.newDatabase()) {
            assertThatThrownBy(() -> builder(
                                    Shop.class,
                                    WebApplicationType.SERVLET,
                                    database,
                                    Map.of("waybill.console.enabled", "true"))
                            .resourceLoader(new DefaultResourceLoader(without))
                            .run()
                            .close())
                    .hasStackTraceContaining("Add the dependency io.waybill:waybill-console");
            builder(Shop.class, WebApplicationType.SERVLET, database, Map.of())
                    .resourceLoader(new DefaultResourceLoader(without))
                    .run()
                    .close();
        }
    }

    @Test
    void the_settings_of_one_data_source_have_no_console() {
        try (TestDatabase database = H2.newDatabase()) {
            assertThatThrownBy(() -> start(database, Map.of("waybill.data-sources.dataSource.console.path", "/x"))
                            .close())
                    .hasStackTraceContaining("the console is one for all data sources");
        }
    }

    static ConfigurableApplicationContext application(
            Class<?> type, WebApplicationType web, TestDatabase database, Map<String, String> settings) {
        return builder(type, web, database, settings).run();
    }

    private static SpringApplicationBuilder builder(
            Class<?> type, WebApplicationType web, TestDatabase database, Map<String, String> settings) {
        var all = new LinkedHashMap<String, Object>(settings);
        all.put("server.address", "127.0.0.1");
        all.put("server.port", "0");
        all.put("spring.datasource.url", database.jdbcUrl());
        all.put("spring.datasource.username", database.user());
        all.put("spring.datasource.password", "");
        return new SpringApplicationBuilder(type)
                .web(web)
                .properties(SpringFixture.WITHOUT_JPA)
                .properties(all);
    }

    static Application running(ConfigurableApplicationContext context) {
        return new Application() {
            @Override
            public int port() {
                return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            }

            @Override
            public void close() {
                context.close();
            }
        };
    }

    /** An application that has nothing but Waybill and a web server. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    /** The same, where everybody has to log in. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableWebSecurity
    @Import(Shop.class)
    static class Guarded {

        @Bean
        SecurityFilterChain security(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService people() {
            var people = new InMemoryUserDetailsManager();
            PEOPLE.forEach(name -> people.createUser(User.withUsername(name)
                    .password("{noop}" + PASSWORD)
                    .authorities(authority(name))
                    .build()));
            return people;
        }

        private static String authority(String name) {
            return switch (name) {
                case "ops" -> OPS_AUTHORITY;
                case "eve" -> "ROLE_USER";
                default -> "ROLE_WAYBILL_" + name.toUpperCase(Locale.ROOT);
            };
        }
    }
}
