package io.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.WaybillException;
import io.waybill.console.api.ApiRoute;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every route for every role, from the table of routes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteRolesTest {

    private final TestDatabase database = H2.newDatabase();
    private final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
    private final ConsoleOptions options = ConsoleOptions.of(List.of(ConsoleDatabase.of("shop", "somewhere", store)));
    private final Console console = new Console(options);
    private final Console readOnly = new Console(options.readOnly(true));

    @AfterAll
    void drop() {
        database.close();
    }

    private Stream<Arguments> routes() {
        return console.routes().stream()
                .flatMap(route -> Arrays.stream(Role.values()).map(role -> Arguments.of(name(route), role, route)));
    }

    private static String name(ApiRoute route) {
        return route.method() + " " + route.path();
    }

    @ParameterizedTest(name = "{0} by {1}")
    @MethodSource("routes")
    void a_route_answers_those_alone_whose_role_it_has(String name, Role role, ApiRoute route) {
        ConsoleResponse response = console.answer(request(route, role));

        if (role.includes(route.role())) {
            assertThat(response.status()).as(response.body().asText()).isNotIn(403, 500);
            assertThat(response.status()).isNotEqualTo(route.path().equals("/api/login") ? 0 : 401);
        } else {
            assertThat(response.status()).isEqualTo(role == Role.ANYONE ? 401 : 403);
        }
        assertThat(response.headers()).containsKeys("Content-Security-Policy", "X-Content-Type-Options");
    }

    @ParameterizedTest(name = "{0} by {1}")
    @MethodSource("routes")
    void nothing_is_changed_by_a_console_that_is_read_only(String name, Role role, ApiRoute route) {
        if (route.isChange() && role.includes(route.role())) {
            assertThat(readOnly.answer(request(route, role)).status()).isEqualTo(403);
        } else if (!route.path().equals("/api/login")) {
            assertThat(readOnly.answer(request(route, role)).status())
                    .isEqualTo(console.answer(request(route, role)).status());
        }
    }

    @ParameterizedTest(name = "{0} by {1}")
    @MethodSource("routes")
    void nothing_is_changed_because_another_site_asked(String name, Role role, ApiRoute route) {
        if (!route.method().equals("GET")) {
            assertThat(console.answer(request(route, role).header("sec-fetch-site", "cross-site"))
                            .status())
                    .isEqualTo(403);
            assertThat(console.answer(request(route, role).header("origin", "https://evil.example"))
                            .status())
                    .isEqualTo(403);
            assertThat(console.answer(request(route, role).header("origin", "null"))
                            .status())
                    .isEqualTo(403);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void a_body_with_null_where_a_value_is_expected_is_refused(String name, ApiRoute route) {
        ConsoleRequest request = request(route, Role.OPERATOR);
        ConsoleResponse nothing = console.answer(request.body("null"));
        assertThat(nothing.body().asText()).containsAnyOf("The body is null", "There is no process");
        assertThat(nothing.status()).isIn(400, 404);

        for (String body : List.of(
                "{\"filter\":null,\"reason\":null}",
                "{\"filter\":{\"ids\":[null]},\"reason\":\"test\"}",
                "{\"headers\":{\"a\":null},\"reason\":\"test\"}")) {
            assertThat(console.answer(request.body(body)).status()).as(body).isNotIn(200, 500);
        }
    }

    private Stream<Arguments> bodies() {
        return console.routes().stream()
                .filter(route -> !route.body().equals(Void.class))
                .map(route -> Arguments.of(name(route), route));
    }

    @Test
    void a_database_that_is_away_is_listed_with_the_reason_beside_the_others() {
        var away = new ConsoleDatabase("away", "elsewhere", () -> {
            throw new WaybillException("Nobody answers at elsewhere.");
        });
        var both = new Console(ConsoleOptions.of(List.of(away, ConsoleDatabase.of("shop", "somewhere", store))));

        ConsoleResponse response =
                both.answer(ConsoleRequest.of("GET", "/api/databases").by(new Identity("ann", Role.VIEWER)));

        assertThat(response.status()).isEqualTo(200);
        var items = Browser.JSON.readTree(response.body().asText()).get("items");
        assertThat(items.get(0).get("unavailable").asString()).isEqualTo("Nobody answers at elsewhere.");
        assertThat(items.get(1).get("product").asString()).isNotEmpty();
        assertThat(items.get(1).path("unavailable").asString("")).isEmpty();
    }

    @Test
    void every_route_that_changes_something_needs_an_operator() {
        assertThat(console.routes()).hasSizeGreaterThan(25).allSatisfy(route -> {
            boolean isSession = route.path().matches("/api/(session|login|logout)");
            assertThat(route.role())
                    .as(name(route))
                    .isEqualTo(isSession ? Role.ANYONE : route.method().equals("GET") ? Role.VIEWER : Role.OPERATOR);
        });
    }

    private static ConsoleRequest request(ApiRoute route, Role role) {
        String path = route.path()
                .replace("{database}", "shop")
                .replace("{id}", route.path().contains("/failures/") ? "4711" : new UUID(1, 1).toString());
        return ConsoleRequest.of(route.method(), path)
                .by(role == Role.ANYONE ? Identity.NOBODY : new Identity(role.word(), role))
                .body("{}");
    }
}
