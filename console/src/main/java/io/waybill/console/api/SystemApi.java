package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;
import static io.waybill.console.api.ApiRoute.post;

import io.waybill.console.request.ConsoleResponse;
import io.waybill.console.request.Role;
import io.waybill.console.security.Users;
import io.waybill.jdbc.ops.OperationLog;
import io.waybill.jdbc.schema.SchemaStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The session, the databases, the settings in force and the audit. */
final class SystemApi {

    private static final String DATABASE = "/api/databases/{database}";
    /** Every part of the schema is looked for. */
    private static final int SETTINGS_COST = 80;

    private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

    private SystemApi() {}

    static List<ApiRoute> routes() {
        return List.of(
                get("/api/session", "Who is logged in, and what they may do", Session.class, SystemApi::session)
                        .forAnyone(),
                post("/api/login", "Log in with a password", Credentials.class, Session.class, SystemApi::login)
                        .forAnyone(),
                post("/api/logout", "End the session", Void.class, Session.class, SystemApi::logout)
                        .forAnyone(),
                get("/api/databases", "The databases of this console", DatabaseList.class, SystemApi::databases),
                get(DATABASE + "/settings", "The settings in force", Settings.class, SystemApi::settings)
                        .costing(SETTINGS_COST),
                get(
                        DATABASE + "/audit",
                        "Who changed what, the latest first",
                        AuditPage.class,
                        SystemApi::audit,
                        "before",
                        "limit"));
    }

    record Credentials(@Nullable String name, @Nullable String password) {}

    /**
     * Who is logged in.
     *
     * @param role {@code anyone} before a login
     * @param login whether this user logs in and out here, with a password
     * @param databases the names of the databases they may see
     */
    record Session(String name, String role, boolean readOnly, boolean login, List<String> databases) {}

    /**
     * @param product empty while the database is unavailable
     * @param unavailable why it cannot be used now; null when it can
     */
    record DatabaseView(
            String name,
            String address,
            String product,
            @Nullable String unavailable) {

        static DatabaseView of(ConsoleDatabase database) {
            try {
                return new DatabaseView(
                        database.name(),
                        database.address(),
                        database.store().dialect().name(),
                        null);
            } catch (ApiError e) {
                return new DatabaseView(database.name(), database.address(), "", e.getMessage());
            }
        }
    }

    record DatabaseList(List<DatabaseView> items) {}

    /** The settings of a database and of the console. */
    record Settings(
            String database,
            String address,
            String product,
            List<String> schemaApplied,
            List<String> schemaMissing,
            boolean readOnly,
            boolean users,
            List<String> maskingRules,
            @Nullable String version) {}

    /**
     * @param endedAt null while it goes on, or when it was interrupted; the result says how far it was
     * @param interrupted whether its process has ended without ending it
     */
    record AuditView(
            String id,
            Instant startedAt,
            @Nullable Instant endedAt,
            String operator,
            String databaseUser,
            String command,
            String reason,
            String result,
            boolean interrupted) {

        static AuditView of(OperationLog.Entry entry) {
            return new AuditView(
                    entry.id().toString(),
                    entry.startedAt(),
                    entry.endedAt(),
                    entry.operator(),
                    entry.databaseUser(),
                    entry.command(),
                    entry.reason(),
                    entry.result(),
                    entry.interrupted());
        }
    }

    /** @param next what to give as {@code before} for the next page; null when there is none */
    record AuditPage(List<AuditView> items, @Nullable String next) {}

    private static Session session(ApiCall call) {
        boolean known = call.identity().role() != Role.ANYONE;
        return new Session(
                call.identity().name(),
                call.identity().role().word(),
                call.context().readOnly(),
                logsInHere(call),
                known
                        ? call.context().databases().stream()
                                .map(ConsoleDatabase::name)
                                .toList()
                        : List.of());
    }

    /** Those whom the application or a proxy has authenticated log out there. */
    private static boolean logsInHere(ApiCall call) {
        boolean elsewhere = call.request()
                .identity()
                .filter(given -> given.role() != Role.ANYONE)
                .isPresent();
        return !call.context().users().isEmpty() && !elsewhere;
    }

    private static ConsoleResponse login(ApiCall call) {
        Credentials given = call.body(Credentials.class);
        Users.LoginResult result = call.context()
                .users()
                .login(call.request(), MessageApi.text(given.name()), MessageApi.text(given.password()));
        return switch (result.login()) {
            case ACCEPTED -> ApiJson.response(200, session(call)).header("Set-Cookie", result.cookie());
            case REFUSED -> throw new ApiError(401, "The name or the password is wrong.");
            case TOO_MANY -> throw new ApiError(429, "Too many logins have failed. Wait five minutes.");
        };
    }

    private static ConsoleResponse logout(ApiCall call) {
        return ApiJson.response(200, session(call))
                .header("Set-Cookie", call.context().users().logout(call.request()));
    }

    private static DatabaseList databases(ApiCall call) {
        return new DatabaseList(
                call.context().databases().stream().map(DatabaseView::of).toList());
    }

    private static Settings settings(ApiCall call) {
        ConsoleDatabase database = call.database();
        SchemaStatus schema = database.store().schemaStatus();
        return new Settings(
                database.name(),
                database.address(),
                database.store().dialect().name(),
                schema.applied(),
                schema.missing(),
                call.context().readOnly(),
                !call.context().users().isEmpty(),
                call.context().maskingRules(),
                SystemApi.class.getPackage().getImplementationVersion());
    }

    private static AuditPage audit(ApiCall call) {
        int limit = call.limit();
        List<OperationLog.Entry> page =
                call.database().store().operationLog().before(call.time("before", END_OF_TIME), limit);
        return new AuditPage(
                page.stream().map(AuditView::of).toList(),
                page.size() < limit
                        ? null
                        : page.get(page.size() - 1).startedAt().toString());
    }
}
