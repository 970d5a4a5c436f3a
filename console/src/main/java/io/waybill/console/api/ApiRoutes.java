package io.waybill.console.api;

import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The table of routes: what can be asked, and what somebody must be to ask it. */
public final class ApiRoutes {

    private final ApiContext context;
    private final List<ApiRoute> all;

    /** @param more of the embedding application */
    public ApiRoutes(ApiContext context, List<ApiRoute> more) {
        this.context = context;
        this.all = Stream.of(
                        SystemApi.routes(),
                        new OverviewApi().routes(),
                        FailureApi.routes(),
                        MessageApi.routes(),
                        ProcessApi.routes(),
                        CommandApi.routes(),
                        RelayApi.routes(),
                        new OperationApi(this::all).routes(),
                        more)
                .flatMap(List::stream)
                .toList();
    }

    public List<ApiRoute> all() {
        return all;
    }

    /** A route, and the parts of the path that vary. */
    public record Match(ApiRoute route, Map<String, String> variables) {}

    /** The route of a request. One whose path says all of it goes before one with parts that vary. */
    public Optional<Match> find(ConsoleRequest request) {
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        return all.stream()
                .filter(route -> route.method().equals(method))
                .flatMap(route -> route.match(request.path()).map(variables -> new Match(route, variables)).stream())
                .min((one, other) -> Integer.compare(one.variables.size(), other.variables.size()));
    }

    /** Whether there is anything at this path, by another method. */
    public boolean knows(String path) {
        return all.stream().anyMatch(route -> route.match(path).isPresent());
    }

    public ConsoleResponse answer(Match match, ConsoleRequest request, Identity identity) {
        Object answer = match.route().handler().answer(new ApiCall(context, request, identity, match.variables()));
        return answer instanceof ConsoleResponse response ? response : ApiJson.response(200, answer);
    }
}
