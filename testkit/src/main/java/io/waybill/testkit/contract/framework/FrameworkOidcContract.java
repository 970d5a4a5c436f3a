package io.waybill.testkit.contract.framework;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.contract.framework.FrameworkConsoleContract.Application;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.OidcProvider;
import io.waybill.testkit.services.database.TestDatabase;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The console of an application that logs people in at an OpenID Connect provider. Every integration passes it. */
public abstract class FrameworkOidcContract {

    private static final String RETRY = "{\"filter\":{\"all\":true},\"reason\":\"test\"}";

    private static final Map<String, String> SETTINGS = Map.of(
            "waybill.console.enabled", "true",
            "waybill.console.roles.shop-developers", "viewer",
            "waybill.console.roles.shop-operations", "operator");

    private final TestDatabase database = H2.newDatabase();
    private final OidcProvider provider = new OidcProvider();
    private final HttpClient browser = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    @SuppressWarnings("NullAway.Init")
    protected FrameworkOidcContract() {}

    /**
     * Starts an application on a free port of 127.0.0.1 that lets nobody in who has not logged in at the provider; the claim {@code
     * preferred_username} is the name, and the claim {@code groups} gives authorities.
     */
    protected abstract Application start(TestDatabase database, Map<String, String> settings, String issuer);

    /** The name of the data source. */
    protected abstract String dataSource();

    @AfterEach
    void close() {
        provider.close();
        database.close();
    }

    @Test
    void people_log_in_at_the_provider_and_their_groups_give_the_role() throws Exception {
        provider.isNow("ann", "shop-developers", "shop-operations");
        try (Application application = start(database, SETTINGS, provider.issuer())) {
            URI folder = folder(application);

            HttpResponse<String> page = get(folder);
            assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
            assertThat(page.uri())
                    .hasHost("127.0.0.1")
                    .hasPort(folder.getPort())
                    .hasPath("/waybill/");
            assertThat(page.body()).contains("<title>Waybill</title>");

            HttpResponse<String> session = get(folder.resolve("api/session"));
            assertThat(session.body()).contains("\"name\":\"ann\"", "\"role\":\"operator\"", "\"login\":false");
            HttpResponse<String> retried = browser.send(
                    retry(folder)
                            .header(header(session, "X-Waybill-Csrf-Header"), header(session, "X-Waybill-Csrf-Token"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(retried.statusCode()).as(retried.body()).isEqualTo(200);
            assertThat(get(folder.resolve(data("audit"))).body()).contains("\"operator\":\"ann\"");
        }
    }

    @Test
    void groups_that_no_role_is_given_to_may_nothing() throws Exception {
        provider.isNow("eve", "shop-marketing");
        try (Application application = start(database, SETTINGS, provider.issuer())) {
            URI folder = folder(application);

            assertThat(get(folder).statusCode()).isEqualTo(200);
            HttpResponse<String> refused = get(folder.resolve(data("audit")));
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("eve is logged in, but has no role");
        }
    }

    @Test
    void nobody_else_reads_or_changes_anything() throws Exception {
        provider.isNow("ann", "shop-operations");
        try (Application application = start(database, SETTINGS, provider.issuer())) {
            URI folder = folder(application);
            HttpClient stranger = HttpClient.newHttpClient();

            for (HttpRequest request : new HttpRequest[] {
                HttpRequest.newBuilder(folder.resolve(data("audit"))).build(),
                retry(folder).build()
            }) {
                HttpResponse<String> refused = stranger.send(request, BodyHandlers.ofString());
                assertThat(refused.statusCode()).as(request.method()).isIn(302, 303, 401, 403);
                assertThat(refused.body()).doesNotContain("items", "operation");
            }
            get(folder);
            assertThat(get(folder.resolve(data("audit"))).body()).contains("\"items\":[]");
        }
    }

    private static URI folder(Application application) {
        return URI.create("http://127.0.0.1:" + application.port() + "/waybill/");
    }

    private String data(String what) {
        return "api/databases/" + dataSource() + "/" + what;
    }

    private HttpRequest.Builder retry(URI folder) {
        return HttpRequest.newBuilder(folder.resolve(data("failures/retry")))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(RETRY));
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("X-None");
    }

    private HttpResponse<String> get(URI address) throws Exception {
        var request = HttpRequest.newBuilder(address).header("Accept", "text/html,*/*");
        return browser.send(request.build(), BodyHandlers.ofString());
    }
}
