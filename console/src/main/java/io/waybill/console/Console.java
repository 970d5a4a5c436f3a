package io.waybill.console;

import io.waybill.WaybillException;
import io.waybill.console.api.ApiContext;
import io.waybill.console.api.ApiError;
import io.waybill.console.api.ApiJson;
import io.waybill.console.api.ApiRoute;
import io.waybill.console.api.ApiRoutes;
import io.waybill.console.openapi.OpenApi;
import io.waybill.console.operation.Operations;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.Masking;
import io.waybill.console.security.OriginCheck;
import io.waybill.console.security.SecurityHeaders;
import io.waybill.console.security.Users;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests to the admin API and for the pages of the console.
 *
 * <p><i>Threads:</i> safe. Whoever has an HTTP server gives it each request and sends the response back.
 */
public final class Console {

    private static final Logger log = LoggerFactory.getLogger(Console.class);

    private final ConsoleOptions options;
    private final Users users;
    private final ApiRoutes routes;
    private final WebFiles files = new WebFiles();

    public Console(ConsoleOptions options) {
        this.options = options;
        this.users = new Users(options.users(), options.clock());
        var context = new ApiContext(
                options.databases(),
                users,
                options.readOnly(),
                Masking.of(options.maskingRules()),
                options.maskingRules(),
                new Operations(options.clock()),
                options.clock());
        this.routes = new ApiRoutes(
                context,
                List.of(new ApiRoute(
                        "GET",
                        "/api/openapi.json",
                        Role.VIEWER,
                        "This document",
                        List.of(),
                        Void.class,
                        Map.class,
                        call -> OpenApi.of(routes()))));
    }

    /** What can be asked, and what somebody must be to ask it. */
    public List<ApiRoute> routes() {
        return routes.all();
    }

    /** Answers, whatever happens. */
    public ConsoleResponse answer(ConsoleRequest request) {
        return answered(request).headers(SecurityHeaders.ALL);
    }

    private ConsoleResponse answered(ConsoleRequest request) {
        try {
            boolean local = users.isEmpty() && request.identity().isEmpty();
            if (local && !OriginCheck.isForLoopback(request)) {
                return ApiJson.problem(403, "Without users the console answers only to localhost and 127.0.0.1.");
            }
            if (!request.path().startsWith("/api/")) {
                return files.answer(request);
            }
            Optional<ApiRoutes.Match> match = routes.find(request);
            if (match.isEmpty()) {
                return routes.knows(request.path())
                        ? ApiJson.problem(405, request.method() + " is not possible here.")
                        : ApiJson.problem(404, "There is nothing at " + request.path() + ".");
            }
            return answered(request, match.get());
        } catch (ApiError e) {
            return ApiJson.problem(e.status(), String.valueOf(e.getMessage()));
        } catch (WaybillException e) {
            return ApiJson.problem(409, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            log.error("WB-650 The console could not process {} {}.", request.method(), request.path(), e);
            return ApiJson.problem(500, "It failed; the log of the console says why.");
        }
    }

    private ConsoleResponse answered(ConsoleRequest request, ApiRoutes.Match match) {
        if (request.isUnsafe() && !OriginCheck.isSameOrigin(request)) {
            return ApiJson.problem(403, "Another site sent this request.");
        }
        Identity identity = identity(request);
        if (!identity.role().includes(match.route().role())) {
            return identity.role() == Role.ANYONE
                    ? ApiJson.problem(401, "Log in first.")
                    : ApiJson.problem(
                            403,
                            "This needs the role " + match.route().role().word() + "; " + identity.name() + " is a "
                                    + identity.role().word() + ".");
        }
        if (options.readOnly() && match.route().isChange()) {
            return ApiJson.problem(403, "This console is read-only.");
        }
        return routes.answer(match, request, identity);
    }

    private Identity identity(ConsoleRequest request) {
        return request.identity()
                .or(() -> users.isEmpty() ? options.local() : users.identify(request))
                .orElse(Identity.NOBODY);
    }
}
