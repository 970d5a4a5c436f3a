package io.waybill.console;

import io.waybill.WaybillException;
import io.waybill.console.api.ApiContext;
import io.waybill.console.api.ApiError;
import io.waybill.console.api.ApiJson;
import io.waybill.console.api.ApiRoute;
import io.waybill.console.api.ApiRoutes;
import io.waybill.console.correlation.CorrelationApi;
import io.waybill.console.live.LiveCache;
import io.waybill.console.openapi.OpenApi;
import io.waybill.console.operation.Operations;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.OriginCheck;
import io.waybill.console.security.PayloadMask;
import io.waybill.console.security.SecurityHeaders;
import io.waybill.console.security.Users;
import io.waybill.console.work.BulkProcessApi;
import io.waybill.console.work.ScheduledApi;
import io.waybill.console.work.SubmissionApi;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests to the admin API and for the pages of the console.
 *
 * <p><i>Threads:</i> safe. An HTTP server passes it each request and sends the response back.
 */
public final class Console {

    private static final Logger log = LoggerFactory.getLogger(Console.class);

    /** Marks what a page repeats by itself. */
    private static final String LIVE = "live";

    private final ConsoleOptions options;
    private final Users users;
    private final ApiRoutes routes;
    private final LiveCache live;
    private final WebFiles files = new WebFiles();

    public Console(ConsoleOptions options) {
        this.options = options;
        this.users = new Users(options.users(), options.clock());
        this.live = new LiveCache(options.clock());
        var context = new ApiContext(
                options.databases(),
                users,
                options.readOnly(),
                PayloadMask.of(options.maskingRules()),
                options.maskingRules(),
                new Operations(options.clock()),
                options.clock());
        this.routes = new ApiRoutes(
                context,
                Stream.of(
                                ScheduledApi.routes(),
                                SubmissionApi.routes(),
                                BulkProcessApi.routes(),
                                CorrelationApi.routes(),
                                List.of(ApiRoute.get(
                                                "/api/openapi.json",
                                                "This document",
                                                Map.class,
                                                call -> OpenApi.of(routes()))
                                        .costing(0)))
                        .flatMap(List::stream)
                        .toList());
    }

    /** What can be asked, and what somebody must be to ask it. */
    public List<ApiRoute> routes() {
        return routes.all();
    }

    /** Answers, whatever happens. */
    public ConsoleResponse answer(ConsoleRequest request) {
        return answered(request).headers(SecurityHeaders.ALL);
    }

    private ConsoleResponse answered(ConsoleRequest received) {
        ConsoleRequest request = options.proxies().resolve(received);
        try {
            boolean local =
                    options.localUser().isPresent() && request.identity().isEmpty();
            if (local && !OriginCheck.isLocal(received)) {
                return ApiJson.problem(
                        403,
                        "Without users the console answers only this machine, at localhost and 127.0.0.1 and without a proxy."
                                + " To use it from elsewhere, give it users.");
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
        } catch (RuntimeException e) {
            return problem(request, e);
        }
    }

    private static ConsoleResponse problem(ConsoleRequest request, RuntimeException e) {
        if (e instanceof ApiError error) {
            return ApiJson.problem(error.status(), String.valueOf(error.getMessage()));
        }
        if (e instanceof WaybillException) {
            return DatabaseProblem.of(e);
        }
        log.error("WB-650 The console could not process {} {}.", request.method(), request.path(), e);
        return ApiJson.problem(500, "It failed; the log of the console says why.");
    }

    private ConsoleResponse answered(ConsoleRequest request, ApiRoutes.Match match) {
        if (request.isUnsafe() && !OriginCheck.isSameOrigin(request)) {
            return ApiJson.problem(
                    403,
                    "Another site sent this request. If none did, a proxy has changed its Host: make the console trust the proxy.");
        }
        Identity identity = identity(request);
        if (!identity.role().includes(match.route().role())) {
            return refused(request, identity, match.route().role());
        }
        if (options.readOnly() && match.route().isChange()) {
            return ApiJson.problem(403, "This console is read-only.");
        }
        return routed(match, request.without(LIVE), identity, request.query().containsKey(LIVE));
    }

    /** What a page repeats by itself may come from the cache; what somebody asks for never does, nor does what is unmasked. */
    private ConsoleResponse routed(ApiRoutes.Match match, ConsoleRequest request, Identity identity, boolean repeated) {
        String database = match.variables().getOrDefault("database", "");
        int cost = match.route().cost();
        if (options.databases().stream().noneMatch(known -> known.name().equals(database))) {
            return routes.answer(match, request, identity);
        }
        if (match.route().isChange()) {
            try {
                return routes.answer(match, request, identity);
            } finally {
                live.changed(database);
            }
        }
        if (cost == 0 || request.query().containsKey("reveal")) {
            return routes.answer(match, request, identity);
        }
        ConsoleRequest declared = request.withOnly(match.route().parameters());
        Supplier<ConsoleResponse> read = () -> {
            try {
                return routes.answer(match, declared, identity);
            } catch (RuntimeException e) {
                return problem(declared, e);
            }
        };
        return repeated
                ? live.live(database, declared, identity.role(), cost, read)
                : live.ask(database, declared, identity.role(), read);
    }

    private ConsoleResponse refused(ConsoleRequest request, Identity identity, Role needed) {
        if (identity.role() != Role.ANYONE) {
            return ApiJson.problem(
                    403,
                    "This needs the role " + needed.word() + "; " + identity.name() + " is a "
                            + identity.role().word() + ".");
        }
        if (!identity.name().isEmpty()) {
            return ApiJson.problem(403, identity.name() + " is logged in, but has no role in this console.");
        }
        if (users.hasGuessedTokens(request)) {
            return ApiJson.problem(
                    429, "Too many tokens from this address were wrong. Wait five minutes, or send one that is right.");
        }
        return ApiJson.problem(
                401,
                users.isEmpty()
                        ? "Log in first: the console has no users of its own, so log in where you do for the application or the proxy."
                        : "Log in first.");
    }

    /** Somebody without a role may be a user of the console under another name. */
    private Identity identity(ConsoleRequest request) {
        Identity given = request.identity().orElse(Identity.NOBODY);
        if (given.role() != Role.ANYONE) {
            return given;
        }
        return request.identity().isEmpty()
                ? options.localUser().or(() -> users.identify(request)).orElse(Identity.NOBODY)
                : users.identify(request).orElse(given);
    }
}
