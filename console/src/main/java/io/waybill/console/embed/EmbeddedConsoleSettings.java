package io.waybill.console.embed;

import io.waybill.WaybillException;
import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.AddressRange;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.PayloadMask;
import io.waybill.console.security.RoleMapping;
import io.waybill.console.security.TrustedProxies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How the console works inside an application, as the application's configuration says it.
 *
 * @param path that it is served under, such as {@code /waybill}
 * @param mask more rules for what is hidden
 * @param users a file of {@code name:role:hash}; empty without one
 * @param localAdmin whether, where nobody is authenticated, everybody on this machine may do everything; a proxy that runs there and
 *     sends no headers makes everybody look like that
 * @param roles a role of the console by an authority of the application, or by a role that a proxy names; empty for the usual ones
 * @param trustedProxies addresses and ranges
 */
public record EmbeddedConsoleSettings(
        String path,
        boolean readOnly,
        List<String> mask,
        String users,
        boolean localAdmin,
        Map<String, String> roles,
        List<String> trustedProxies,
        String proxyAddressHeader,
        String proxyProtocolHeader,
        String proxyUserHeader,
        String proxyRoleHeader) {

    public static final String PATH = "/waybill";

    private static final Identity LOCAL = new Identity("localhost", Role.ADMIN);

    public EmbeddedConsoleSettings {
        mask = List.copyOf(mask);
        roles = Map.copyOf(roles);
        trustedProxies = List.copyOf(trustedProxies);
    }

    /** How the application knows who sends a request. */
    public enum Authentication {
        /** It authenticates them itself. */
        APPLICATION,
        /** It does not, and sees the addresses that connections come from. */
        NONE,
        /** It does not, and takes the addresses of clients from headers that anybody may send. */
        NONE_BEHIND_HEADERS
    }

    /** Looks at everything; what is wrong goes to the problems. */
    public void check(Authentication authentication, SettingProblems problems) {
        options(List.of(), authentication, problems);
    }

    /** The console of these databases; without a value where something is wrong, which goes to the problems. */
    public Optional<EmbeddedConsole> console(
            List<ConsoleDatabase> databases, Authentication authentication, SettingProblems problems) {
        return options(databases, authentication, problems)
                .map(options -> new EmbeddedConsole(path, authorities(problems), new Console(options)));
    }

    /** Whether nobody can use a console with these settings, which are not wrong by themselves. */
    public boolean isForNobody(Authentication authentication) {
        return authentication == Authentication.NONE_BEHIND_HEADERS && users.isEmpty() && proxyUserHeader.isEmpty();
    }

    private Optional<ConsoleOptions> options(
            List<ConsoleDatabase> databases, Authentication authentication, SettingProblems problems) {
        var found = new ArrayList<String>();
        SettingProblems all = (setting, value, rule) -> {
            found.add(setting);
            problems.add(setting, value, rule);
        };
        if (!path.matches("(/[A-Za-z0-9_.~-]+)+") || path.contains("/.")) {
            all.add("path", path, "it must be a path such as " + PATH + ", without a slash at its end.");
        }
        List<ConsoleUser> known = users.isEmpty()
                ? List.of()
                : checked("users", users, () -> ConsoleUser.read(Path.of(users)), List.of(), all);
        authorities(all);
        TrustedProxies proxies = proxies(all);
        for (String rule : mask) {
            checked("mask", rule, () -> PayloadMask.of(List.of(rule)), PayloadMask.NONE, all);
        }
        if (!found.isEmpty()) {
            return Optional.empty();
        }
        ConsoleOptions options = ConsoleOptions.of(databases)
                .users(known)
                .readOnly(readOnly)
                .maskingRules(Stream.concat(PayloadMask.DEFAULT_RULES.stream(), mask.stream())
                        .toList())
                .proxies(proxies);
        if (authentication == Authentication.APPLICATION) {
            return Optional.of(options);
        }
        ConsoleOptions usable = checked(
                "trusted-proxies",
                String.join(", ", trustedProxies),
                () -> {
                    options.checkUsable();
                    return options;
                },
                options,
                all);
        if (authentication == Authentication.NONE && !localAdmin && known.isEmpty() && !proxies.authenticate()) {
            all.add(
                    "local-admin",
                    "false",
                    "nobody authenticates those who use the console, and a proxy on this machine can make requests from elsewhere look"
                            + " local. Set users to a file of users, add the security of the framework, or set trusted-proxies and"
                            + " proxy-user-header. To let everybody on this machine do everything, as in development, set this to true.");
        }
        return found.isEmpty()
                ? Optional.of(authentication == Authentication.NONE && localAdmin ? usable.local(LOCAL) : usable)
                : Optional.empty();
    }

    private RoleMapping authorities(SettingProblems problems) {
        return mapping(RoleMapping.AUTHORITIES, problems);
    }

    private RoleMapping mapping(RoleMapping usual, SettingProblems problems) {
        if (roles.isEmpty()) {
            return usual;
        }
        roles.forEach((name, role) ->
                checked("roles." + name, role, () -> RoleMapping.of(Map.of(name, role)), usual, problems));
        return checked("roles", "", () -> RoleMapping.of(roles), usual, (setting, value, rule) -> {});
    }

    private TrustedProxies proxies(SettingProblems problems) {
        List<String> valid = trustedProxies.stream()
                .filter(address -> checked(
                        "trusted-proxies",
                        address,
                        () -> {
                            AddressRange.of(address);
                            return true;
                        },
                        false,
                        problems))
                .toList();
        TrustedProxies proxies = TrustedProxies.of(valid);
        TrustedProxies addressed = checked(
                "proxy-address-header",
                proxyAddressHeader,
                () -> proxies.headers(proxyAddressHeader, proxies.protocolHeader()),
                proxies,
                problems);
        TrustedProxies headed = checked(
                "proxy-protocol-header",
                proxyProtocolHeader,
                () -> addressed.headers(addressed.addressHeader(), proxyProtocolHeader),
                addressed,
                problems);
        if (valid.size() < trustedProxies.size()) {
            return headed;
        }
        return checked(
                proxyUserHeader.isEmpty() ? "proxy-role-header" : "proxy-user-header",
                proxyUserHeader.isEmpty() ? proxyRoleHeader : proxyUserHeader,
                () -> headed.users(
                        proxyUserHeader, proxyRoleHeader, mapping(RoleMapping.NAMES, (setting, value, rule) -> {})),
                headed,
                problems);
    }

    private static <T> T checked(
            String setting, String value, Supplier<T> made, T otherwise, SettingProblems problems) {
        try {
            return made.get();
        } catch (WaybillException e) {
            problems.add(setting, value, String.valueOf(e.getMessage()));
            return otherwise;
        }
    }
}
