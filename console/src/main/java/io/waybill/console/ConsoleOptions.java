package io.waybill.console;

import io.waybill.WaybillException;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.Identity;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.Masking;
import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * How a console works.
 *
 * @param users who may log in; without any, whoever reaches the console is the local user
 * @param local who asks where there are no users; the console then answers only requests that name this machine as their host
 * @param readOnly whether nothing may be changed, whoever asks
 * @param maskingRules regular expressions for the names of fields and headers whose values are hidden; {@code *} hides every payload
 */
public record ConsoleOptions(
        List<ConsoleDatabase> databases,
        List<ConsoleUser> users,
        Optional<Identity> local,
        boolean readOnly,
        List<String> maskingRules,
        Clock clock) {

    public ConsoleOptions {
        databases = List.copyOf(databases);
        users = List.copyOf(users);
        maskingRules = List.copyOf(maskingRules);
        Masking.of(maskingRules);
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
                databases, List.of(), Optional.empty(), false, Masking.DEFAULT_RULES, Clock.systemUTC());
    }

    public ConsoleOptions users(List<ConsoleUser> users) {
        return new ConsoleOptions(databases, users, local, readOnly, maskingRules, clock);
    }

    /** For one person on this machine, without a login. */
    public ConsoleOptions local(Identity identity) {
        return new ConsoleOptions(databases, users, Optional.of(identity), readOnly, maskingRules, clock);
    }

    public ConsoleOptions readOnly(boolean nothingChanges) {
        return new ConsoleOptions(databases, users, local, nothingChanges, maskingRules, clock);
    }

    public ConsoleOptions maskingRules(List<String> rules) {
        return new ConsoleOptions(databases, users, local, readOnly, rules, clock);
    }

    public ConsoleOptions clock(Clock clock) {
        return new ConsoleOptions(databases, users, local, readOnly, maskingRules, clock);
    }

    /**
     * Checks that nobody without a login reaches it from elsewhere.
     *
     * @throws WaybillException when they would
     */
    public void checkAddress(InetAddress address) {
        if (users.isEmpty() && !address.isLoopbackAddress()) {
            throw new WaybillException("The console would listen on " + address.getHostAddress()
                    + " for everybody. Give it users, or an address of this machine such as 127.0.0.1.");
        }
    }
}
