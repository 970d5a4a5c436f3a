package io.waybill.micronaut.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.NonNull;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.security.authentication.AuthenticationRequest;
import io.micronaut.security.authentication.AuthenticationResponse;
import io.micronaut.security.authentication.provider.HttpRequestAuthenticationProvider;
import io.waybill.testkit.contract.framework.FrameworkConsoleContract;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The console on Micronaut's embedded server, with Micronaut Security and without. */
final class MicronautConsoleTest extends FrameworkConsoleContract {

    @Override
    protected Application start(TestDatabase database, Map<String, String> settings) {
        return running(database, settings, Map.of("micronaut.security.enabled", "false"));
    }

    @Override
    protected Application startSecured(TestDatabase database, Map<String, String> settings) {
        return running(
                database,
                settings,
                Map.of(
                        "spec",
                        "guarded",
                        "micronaut.security.intercept-url-map",
                        List.of(Map.of("pattern", "/**", "access", "isAuthenticated()"))));
    }

    @Override
    protected String contextPathSetting() {
        return "micronaut.server.context-path";
    }

    @Override
    protected String dataSource() {
        return "default";
    }

    @Test
    void the_settings_of_one_data_source_have_no_console() {
        try (TestDatabase database = H2.newDatabase()) {
            assertThatThrownBy(() -> start(database, Map.of("waybill.data-sources.default.console.path", "/x"))
                            .close())
                    .hasStackTraceContaining("set waybill.console.path");
        }
    }

    @Test
    void without_the_setting_there_is_no_console() {
        try (TestDatabase database = H2.newDatabase();
                ApplicationContext context = ApplicationContext.run(settings(database, Map.of(), Map.of()))) {
            assertThat(context.containsBean(ConsoleController.class)).isFalse();
            assertThat(context.containsBean(ConsoleStart.class)).isFalse();
        }
    }

    static Application running(TestDatabase database, Map<String, String> settings, Map<String, Object> security) {
        EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, settings(database, settings, security));
        return new Application() {
            @Override
            public int port() {
                return server.getPort();
            }

            @Override
            public void close() {
                server.getApplicationContext().close();
            }
        };
    }

    private static Map<String, Object> settings(
            TestDatabase database, Map<String, String> settings, Map<String, Object> security) {
        var all = new HashMap<String, Object>(settings);
        all.putAll(security);
        all.put("micronaut.server.host", "127.0.0.1");
        all.put("micronaut.server.port", -1);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", "");
        return all;
    }

    /** Knows the people of the contract. */
    @Singleton
    @Requires(property = "spec", value = "guarded")
    static final class People implements HttpRequestAuthenticationProvider<Object> {

        @Override
        public @NonNull AuthenticationResponse authenticate(
                @Nullable HttpRequest<Object> request, @NonNull AuthenticationRequest<String, String> given) {
            String name = given.getIdentity();
            return PEOPLE.contains(name) && PASSWORD.equals(given.getSecret())
                    ? AuthenticationResponse.success(name, List.of(authority(name)))
                    : AuthenticationResponse.failure();
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
