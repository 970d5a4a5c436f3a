package io.waybill.console;

import io.waybill.WaybillException;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.Identity;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.PayloadMask;
import io.waybill.console.security.TrustedProxies;
import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * How a console works.
 *
 * @param users who may log in
 * @param local who asks where nobody logs in, neither here nor at a proxy; the console then answers only requests of this machine
 * @param readOnly whether nothing may be changed, in any role
 * @param maskingRules regular expressions for the names of fields and headers whose values are hidden; {@code *} hides every payload
 * @param proxies those in front of it
 */
public record ConsoleOptions(
        List<ConsoleDatabase> databases,
        List<ConsoleUser> users,
        Optional<Identity> local,
        boolean readOnly,
        List<String> maskingRules,
        TrustedProxies proxies,
        Clock clock) {

    public ConsoleOptions {
        databases = List.copyOf(databases);
        users = List.copyOf(users);
        maskingRules = List.copyOf(maskingRules);
        PayloadMask.of(maskingRules);
        if (databases.stream().map(ConsoleDatabase::name).distinct().count() < databases.size()) {
            throw new WaybillException("Two databases of the console have the same name. Give each its own.");
        }
        if (users.stream().map(ConsoleUser::name).distinct().count() < users.size()) {
            throw new WaybillException("Two users of the console have the same name. Give each its own.");
        }
    }

    /** For these databases and nobody yet, with the usual masking rules. */
    public static ConsoleOptions of(List<ConsoleDatabase> databases) {
        return new ConsoleOptions(
                databases,
                List.of(),
                Optional.empty(),
                false,
                PayloadMask.DEFAULT_RULES,
                TrustedProxies.NONE,
                Clock.systemUTC());
    }

    public ConsoleOptions users(List<ConsoleUser> users) {
        return new ConsoleOptions(databases, users, local, readOnly, maskingRules, proxies, clock);
    }

    /** For one person on this machine, without a login. */
    public ConsoleOptions local(Identity identity) {
        return new ConsoleOptions(databases, users, Optional.of(identity), readOnly, maskingRules, proxies, clock);
    }

    public ConsoleOptions readOnly(boolean nothingChanges) {
        return new ConsoleOptions(databases, users, local, nothingChanges, maskingRules, proxies, clock);
    }

    public ConsoleOptions maskingRules(List<String> rules) {
        return new ConsoleOptions(databases, users, local, readOnly, rules, proxies, clock);
    }

    public ConsoleOptions proxies(TrustedProxies trusted) {
        return new ConsoleOptions(databases, users, local, readOnly, maskingRules, trusted, clock);
    }

    public ConsoleOptions clock(Clock clock) {
        return new ConsoleOptions(databases, users, local, readOnly, maskingRules, proxies, clock);
    }

    /**
     * Checks that somebody can use it.
     *
     * @throws WaybillException when it is behind a proxy, and neither of them authenticates anybody
     */
    public void checkUsable() {
        if (users.isEmpty() && !proxies.isEmpty() && !proxies.authenticate()) {
            throw new WaybillException(
                    "Nobody could use the console: it is behind a proxy, has no users, and no header of the proxy names one. Give it users, or"
                            + " the header that names the user.");
        }
    }

    /** Who asks without a login; nobody behind a proxy, where a request of this machine may be anybody's. */
    Optional<Identity> localUser() {
        return users.isEmpty() && proxies.isEmpty() ? local : Optional.empty();
    }

    /**
     * Checks that nobody without a login reaches it from elsewhere, and that somebody reaches it.
     *
     * @throws WaybillException when they would, or nobody could
     */
    public void checkAddress(InetAddress address) {
        checkUsable();
        if (users.isEmpty() && !proxies.authenticate() && !address.isLoopbackAddress()) {
            throw new WaybillException("The console would listen on " + address.getHostAddress()
                    + " for everybody. Give it users, or an address of this machine such as 127.0.0.1.");
        }
    }
}
