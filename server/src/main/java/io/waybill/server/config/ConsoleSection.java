package io.waybill.server.config;

import io.waybill.WaybillException;
import io.waybill.console.security.AddressRange;
import io.waybill.console.security.RoleMapping;
import io.waybill.console.security.TrustedProxies;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The console in a configuration file: either {@code true}, or where it listens, for whom, and behind which proxies. */
final class ConsoleSection {

    private ConsoleSection() {}

    static Optional<ConsoleSettings> settings(ConfigSection top) {
        if (!top.has("console") || top.isFlag("console")) {
            return top.flag("console", false) ? Optional.of(ConsoleSettings.DEFAULT) : Optional.empty();
        }
        ConfigSection section = top.section("console");
        String listen = section.text("listen", "");
        String users = section.text("users-file", "");
        boolean readOnly = section.flag("read-only", false);
        List<String> masks = section.texts("mask");
        TrustedProxies proxies = proxies(section);
        section.refuseTheRest();
        var settings = new ConsoleSettings(
                ConsoleSettings.DEFAULT.address(),
                users.isEmpty() ? Optional.empty() : Optional.of(Path.of(users)),
                readOnly,
                masks,
                proxies);
        try {
            return Optional.of(listen.isEmpty() ? settings : settings.at(ListenAddress.parse(listen)));
        } catch (WaybillException e) {
            section.problem("listen", listen, "must be a port or host:port");
            return Optional.empty();
        }
    }

    private static TrustedProxies proxies(ConfigSection section) {
        List<String> addresses = section.texts("trusted-proxies").stream()
                .filter(address -> isRange(section, address))
                .toList();
        String address = section.text("proxy-address-header", TrustedProxies.ADDRESS_HEADER);
        String protocol = section.text("proxy-protocol-header", TrustedProxies.PROTOCOL_HEADER);
        String user = section.text("proxy-user-header", "");
        String role = section.text("proxy-role-header", "");
        RoleMapping roles = roles(section);
        try {
            return TrustedProxies.of(addresses).headers(address, protocol).users(user, role, roles);
        } catch (WaybillException e) {
            section.problem(
                    "proxy-user-header",
                    user,
                    "and the other headers must be names of headers; it needs trusted-proxies, and proxy-role-header needs it");
            return TrustedProxies.NONE;
        }
    }

    private static boolean isRange(ConfigSection section, String address) {
        try {
            AddressRange.of(address);
            return true;
        } catch (WaybillException e) {
            section.problem("trusted-proxies", address, "must be addresses or ranges of proxies, such as 10.0.0.0/8");
            return false;
        }
    }

    private static RoleMapping roles(ConfigSection section) {
        Map<String, String> roles = section.map("roles");
        try {
            return roles.isEmpty() ? RoleMapping.NAMES : RoleMapping.of(roles);
        } catch (WaybillException e) {
            section.problem("roles", "", "must be a map from groups to viewer, operator or admin");
            return RoleMapping.NAMES;
        }
    }
}
