package io.waybill.console.api;

import io.waybill.console.request.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A line of the table of routes.
 *
 * @param path with names in braces for parts that vary
 * @param role what somebody must be to use it
 * @param parameters names of the query
 * @param cost how many statements it runs at most in the database that it is about; live updates are spaced by it
 * @param body what is expected; {@link Void} when nothing is
 * @param answer what is returned
 */
public record ApiRoute(
        String method,
        String path,
        Role role,
        String summary,
        List<String> parameters,
        int cost,
        Class<?> body,
        Class<?> answer,
        Handler handler) {

    private static final int USUAL_COST = 3;

    /** Answers a request: with a value that becomes JSON, or with a response. */
    @FunctionalInterface
    public interface Handler {
        Object answer(ApiCall call);
    }

    public static ApiRoute get(String path, String summary, Class<?> answer, Handler handler, String... parameters) {
        return new ApiRoute(
                "GET", path, Role.VIEWER, summary, List.of(parameters), USUAL_COST, Void.class, answer, handler);
    }

    public static ApiRoute post(String path, String summary, Class<?> body, Class<?> answer, Handler handler) {
        return new ApiRoute("POST", path, Role.OPERATOR, summary, List.of(), USUAL_COST, body, answer, handler);
    }

    ApiRoute forAnyone() {
        return new ApiRoute(method, path, Role.ANYONE, summary, parameters, cost, body, answer, handler);
    }

    /** The same with another number of statements, at most; none for what no database is asked for. */
    public ApiRoute costing(int statements) {
        return new ApiRoute(method, path, role, summary, parameters, statements, body, answer, handler);
    }

    /** Whether it changes anything in a database. */
    public boolean isChange() {
        return !method.equals("GET") && role != Role.ANYONE;
    }

    /** The parts of the path that vary, when the path is one of this route. */
    Optional<Map<String, String>> match(String requested) {
        String[] wanted = path.split("/", -1);
        String[] given = requested.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        var variables = new HashMap<String, String>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{") && !given[i].isEmpty()) {
                variables.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
            } else if (!wanted[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(variables);
    }
}
