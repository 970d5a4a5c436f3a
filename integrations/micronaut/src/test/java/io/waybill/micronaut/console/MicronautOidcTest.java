package io.waybill.micronaut.console;

import io.waybill.testkit.contract.framework.FrameworkConsoleContract.Application;
import io.waybill.testkit.contract.framework.FrameworkOidcContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** With {@code micronaut-security-oauth2}. */
final class MicronautOidcTest extends FrameworkOidcContract {

    @Override
    protected Application start(TestDatabase database, Map<String, String> settings, String issuer) {
        String client = "micronaut.security.oauth2.clients.provider.";
        var security = new HashMap<String, Object>();
        security.put("micronaut.security.authentication", "idtoken");
        security.put(client + "client-id", "shop");
        security.put(client + "client-secret", "secret");
        security.put(client + "openid.issuer", issuer);
        security.put("micronaut.security.redirect.unauthorized.url", "/oauth/login/provider");
        security.put("micronaut.security.redirect.login-success", "/waybill/");
        security.put("micronaut.security.token.name-key", "preferred_username");
        security.put("micronaut.security.token.roles-name", "groups");
        security.put(
                "micronaut.security.intercept-url-map",
                List.of(Map.of("pattern", "/waybill/**", "access", "isAuthenticated()")));
        return MicronautConsoleTest.running(database, settings, security);
    }

    @Override
    protected String dataSource() {
        return "default";
    }
}
