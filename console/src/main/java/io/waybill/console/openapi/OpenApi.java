package io.waybill.console.openapi;

import io.waybill.console.api.ApiJson;
import io.waybill.console.api.ApiRoute;
import io.waybill.console.request.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Describes routes as OpenAPI 3.1. */
public final class OpenApi {

    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

    private final JsonSchemas schemas = new JsonSchemas();

    private OpenApi() {}

    public static Map<String, Object> of(List<ApiRoute> routes) {
        return new OpenApi().document(routes);
    }

    private Map<String, Object> document(List<ApiRoute> routes) {
        var paths = new TreeMap<String, Map<String, Object>>();
        routes.forEach(route -> paths.computeIfAbsent(route.path(), path -> new LinkedHashMap<>())
                .put(route.method().toLowerCase(Locale.ROOT), operation(route)));
        var document = new LinkedHashMap<String, Object>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Waybill admin API", "version", "1"));
        document.put("paths", paths);
        document.put(
                "components",
                Map.of(
                        "schemas",
                        schemas.all(),
                        "securitySchemes",
                        Map.of(
                                "token", Map.of("type", "http", "scheme", "bearer"),
                                "session", Map.of("type", "apiKey", "in", "cookie", "name", "waybill_session"))));
        return document;
    }

    private Map<String, Object> operation(ApiRoute route) {
        var operation = new LinkedHashMap<String, Object>();
        operation.put("summary", route.summary());
        operation.put("x-role", route.role().word());
        List<Map<String, Object>> parameters = parameters(route);
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        if (route.body() != Void.class) {
            operation.put("requestBody", Map.of("required", true, "content", json(schemas.of(route.body()))));
        }
        boolean drawing = route.answer() == String.class;
        operation.put(
                "responses",
                Map.of(
                        "200",
                        Map.of(
                                "description",
                                "What was asked for",
                                "content",
                                drawing
                                        ? Map.of("image/svg+xml", Map.of("schema", Map.of("type", "string")))
                                        : json(schemas.of(route.answer()))),
                        "default",
                        Map.of(
                                "description",
                                "What is wrong, and what to do",
                                "content",
                                json(schemas.of(ApiJson.Problem.class)))));
        operation.put(
                "security",
                route.role() == Role.ANYONE
                        ? List.of()
                        : List.of(Map.of("token", List.of()), Map.of("session", List.of())));
        return operation;
    }

    private static List<Map<String, Object>> parameters(ApiRoute route) {
        var parameters = new ArrayList<Map<String, Object>>();
        VARIABLE.matcher(route.path())
                .results()
                .map((MatchResult found) -> found.group(1))
                .forEach(name -> parameters.add(parameter(name, "path")));
        Stream<String> query = route.parameters().stream();
        query.forEach(name -> parameters.add(parameter(name, "query")));
        return parameters;
    }

    private static Map<String, Object> parameter(String name, String in) {
        var parameter = new LinkedHashMap<String, Object>();
        parameter.put("name", name);
        parameter.put("in", in);
        parameter.put("required", in.equals("path"));
        parameter.put("schema", Map.of("type", "string"));
        return parameter;
    }

    private static Map<String, Object> json(Map<String, Object> schema) {
        return Map.of("application/json", Map.of("schema", schema));
    }
}
