package io.waybill.console.security;

import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.Identity;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who asks: by a bearer token, or by the cookie that a login with a password gave. Sessions are kept in memory.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Users {

    private static final String COOKIE = "waybill_session";
    private static final String BEARER = "Bearer ";
    private static final Duration IDLE = Duration.ofMinutes(30);
    private static final Duration LONGEST = Duration.ofHours(12);
    private static final int MAX_SESSIONS_OF_USER = 100;
    /** Compared with when there is no such user, so that the time does not tell. */
    private static final PasswordHash NOBODYS = PasswordHash.ofPassword(PasswordHash.randomToken());

    private final List<ConsoleUser> users;
    private final Clock clock;
    private final LoginLimit limit;
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    public Users(List<ConsoleUser> users, Clock clock) {
        this.users = List.copyOf(users);
        this.clock = clock;
        this.limit = new LoginLimit(clock);
    }

    private record Session(ConsoleUser user, Instant began, Instant used) {}

    /** What a login came to. */
    public enum Login {
        ACCEPTED,
        REFUSED,
        /** Too many attempts have failed; the next ones are not looked at for some minutes. */
        TOO_MANY
    }

    /** A login, and the cookie that goes with it; empty unless it was accepted. */
    public record LoginResult(Login login, String cookie) {}

    public boolean isEmpty() {
        return users.isEmpty();
    }

    /** Who asks; nobody when the request says nothing that is known. */
    public Optional<Identity> identify(ConsoleRequest request) {
        if (isToken(request)) {
            return byToken(
                    request.header("authorization").substring(BEARER.length()).strip(), request.client());
        }
        return session(request).map(session -> session.user.identity());
    }

    /** A correct token is never refused: guessing behind the same proxy must not stop a program that knows its own. */
    private Optional<Identity> byToken(String token, String client) {
        Optional<Identity> found = users.stream()
                .filter(user -> user.secret().isToken() && user.secret().matches(token))
                .map(ConsoleUser::identity)
                .findFirst();
        if (found.isEmpty()) {
            limit.tokenFailed(client);
        }
        return found;
    }

    /** Whether the token of this request is one of too many wrong ones from its address. */
    public boolean hasGuessedTokens(ConsoleRequest request) {
        return isToken(request) && limit.areTokensExceeded(request.client());
    }

    private static boolean isToken(ConsoleRequest request) {
        return request.header("authorization").startsWith(BEARER);
    }

    private Optional<Session> session(ConsoleRequest request) {
        return cookie(request).flatMap(key -> {
            Instant now = clock.instant();
            return Optional.ofNullable(sessions.computeIfPresent(
                    key, (same, session) -> isOver(session, now) ? null : used(session, now)));
        });
    }

    private static Session used(Session session, Instant now) {
        return new Session(session.user, session.began, now);
    }

    private static boolean isOver(Session session, Instant now) {
        return session.used.isBefore(now.minus(IDLE)) || session.began.isBefore(now.minus(LONGEST));
    }

    /** Logs somebody in with a password. */
    public LoginResult login(ConsoleRequest request, String name, String password) {
        if (!limit.begin(request.client(), name)) {
            return new LoginResult(Login.TOO_MANY, "");
        }
        Optional<ConsoleUser> found = users.stream()
                .filter(user -> user.name().equals(name) && !user.secret().isToken())
                .findFirst();
        boolean right = found.map(ConsoleUser::secret).orElse(NOBODYS).matches(password);
        if (found.isEmpty() || !right) {
            return new LoginResult(Login.REFUSED, "");
        }
        limit.succeeded(request.client(), name);
        return new LoginResult(Login.ACCEPTED, begin(found.get(), request));
    }

    private synchronized String begin(ConsoleUser user, ConsoleRequest request) {
        Instant now = clock.instant();
        sessions.values().removeIf(session -> isOver(session, now));
        List<Map.Entry<String, Session>> own = sessions.entrySet().stream()
                .filter(session -> session.getValue().user.equals(user))
                .toList();
        if (own.size() >= MAX_SESSIONS_OF_USER) {
            own.stream()
                    .min(Comparator.comparing(session -> session.getValue().used))
                    .ifPresent(oldest -> sessions.remove(oldest.getKey()));
        }
        String key = PasswordHash.randomToken();
        sessions.put(key, new Session(user, now, now));
        return cookie(key, LONGEST.toSeconds(), request);
    }

    /** Ends the session; returns the cookie that removes its own. */
    public String logout(ConsoleRequest request) {
        cookie(request).ifPresent(sessions::remove);
        return cookie("", 0, request);
    }

    /**
     * Without a path, a cookie belongs to the folder of the request that sets it: the API, whatever path the console is served under, and
     * whatever path a proxy gives it.
     */
    private static String cookie(String key, long seconds, ConsoleRequest request) {
        return COOKIE + "=" + key + "; HttpOnly; SameSite=Strict; Max-Age=" + seconds
                + (request.secure() ? "; Secure" : "");
    }

    private static Optional<String> cookie(ConsoleRequest request) {
        return Arrays.stream(request.header("cookie").split(";", -1))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(COOKIE + "="))
                .map(cookie -> cookie.substring(COOKIE.length() + 1).replace("\"", ""))
                .filter(key -> !key.isEmpty())
                .findFirst();
    }
}
