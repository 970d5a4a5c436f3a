package io.waybill.server.console;

import io.waybill.console.security.RoleMapping;
import io.waybill.console.security.TrustedProxies;
import io.waybill.server.cli.UsageErrors;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The proxies in front of the console, and what their headers are called. */
final class ProxyOptions {

    @Option(
            names = "--trusted-proxies",
            paramLabel = "ADDRESS",
            split = ",",
            description =
                    "Addresses or ranges of proxies, such as 10.0.0.0/8. The headers below count from them alone.")
    private List<String> trusted = List.of();

    @Option(
            names = "--proxy-address-header",
            paramLabel = "HEADER",
            defaultValue = TrustedProxies.ADDRESS_HEADER,
            description = "The header with the address of the client (${DEFAULT-VALUE}).")
    private String address = TrustedProxies.ADDRESS_HEADER;

    @Option(
            names = "--proxy-protocol-header",
            paramLabel = "HEADER",
            defaultValue = TrustedProxies.PROTOCOL_HEADER,
            description = "The header that is https where the client uses TLS (${DEFAULT-VALUE}).")
    private String protocol = TrustedProxies.PROTOCOL_HEADER;

    @Option(
            names = "--proxy-user-header",
            paramLabel = "HEADER",
            description = "The header with the user that the proxy has logged in, such as X-Forwarded-User.")
    private String user = "";

    @Option(
            names = "--proxy-role-header",
            paramLabel = "HEADER",
            description = "The header with roles or groups of that user; without it every user is a viewer.")
    private String role = "";

    @Option(
            names = "--role",
            paramLabel = "GROUP=ROLE",
            description = "The role of a group in that header, such as ops=operator; once for each group.")
    private Map<String, String> roles = Map.of();

    TrustedProxies checked(CommandSpec spec) {
        TrustedProxies proxies = UsageErrors.checked(spec, "--trusted-proxies", () -> TrustedProxies.of(trusted));
        RoleMapping mapping =
                UsageErrors.checked(spec, "--role", () -> roles.isEmpty() ? RoleMapping.NAMES : RoleMapping.of(roles));
        return UsageErrors.checked(
                spec,
                "--proxy-user-header",
                () -> proxies.headers(address, protocol).users(user, role, mapping));
    }
}
