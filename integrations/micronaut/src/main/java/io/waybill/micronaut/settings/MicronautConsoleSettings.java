package io.waybill.micronaut.settings;

import io.micronaut.context.env.Environment;
import io.waybill.console.embed.EmbeddedConsoleSettings;
import io.waybill.console.embed.SettingProblems;
import io.waybill.console.security.TrustedProxies;
import java.util.HashMap;
import java.util.Map;

/** The keys under {@code waybill.console}. */
public final class MicronautConsoleSettings {

    private MicronautConsoleSettings() {}

    public static EmbeddedConsoleSettings of(Environment environment, MicronautProblems problems) {
        var keys = new Keys(environment, problems, "");
        Map<String, String> roles = new HashMap<>();
        keys.below("console.roles").forEach((name, found) -> roles.put(name, found.text()));
        return new EmbeddedConsoleSettings(
                keys.text("console.path", EmbeddedConsoleSettings.PATH),
                keys.flag("console.read-only", false),
                keys.list("console.mask"),
                keys.text("console.users", ""),
                keys.flag("console.local-admin", false),
                roles,
                keys.list("console.trusted-proxies"),
                keys.text("console.proxy-address-header", TrustedProxies.ADDRESS_HEADER),
                keys.text("console.proxy-protocol-header", TrustedProxies.PROTOCOL_HEADER),
                keys.text("console.proxy-user-header", ""),
                keys.text("console.proxy-role-header", ""));
    }

    public static SettingProblems to(MicronautProblems problems) {
        return (setting, value, rule) -> problems.add("waybill.console." + setting, value, rule);
    }
}
