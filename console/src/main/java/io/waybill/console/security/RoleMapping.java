package io.waybill.console.security;

import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Which role of the console an authority, a role or a group of somebody stands for. */
public record RoleMapping(Map<String, Role> roles) {

    /** Authorities of an application: {@code ROLE_WAYBILL_VIEWER}, {@code ROLE_WAYBILL_OPERATOR}, {@code ROLE_WAYBILL_ADMIN}. */
    public static final RoleMapping AUTHORITIES = new RoleMapping(Map.of(
            "ROLE_WAYBILL_VIEWER", Role.VIEWER,
            "ROLE_WAYBILL_OPERATOR", Role.OPERATOR,
            "ROLE_WAYBILL_ADMIN", Role.ADMIN));

    /** The roles by their own names. */
    public static final RoleMapping NAMES =
            new RoleMapping(Map.of("viewer", Role.VIEWER, "operator", Role.OPERATOR, "admin", Role.ADMIN));

    public RoleMapping {
        roles = Map.copyOf(roles);
    }

    /**
     * By the name of an authority or group: {@code viewer}, {@code operator} or {@code admin}.
     *
     * @throws io.waybill.WaybillException when one of them is not a role
     */
    public static RoleMapping of(Map<String, String> names) {
        var roles = new HashMap<String, Role>();
        names.forEach((name, role) -> roles.put(name, Role.of(role.strip())));
        return new RoleMapping(roles);
    }

    /** Who somebody is, with the highest role among what they have; without any they may do nothing. */
    public Identity identity(String name, Predicate<String> has) {
        return new Identity(
                name,
                roles.entrySet().stream()
                        .filter(role -> has.test(role.getKey()))
                        .map(Map.Entry::getValue)
                        .max(Role::compareTo)
                        .orElse(Role.ANYONE));
    }
}
