package io.waybill.console.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose headers count, and what they say. */
class TrustedProxiesTest {

    private static final String PROXY = "10.1.2.3";
    private static final String STRANGER = "203.0.113.9";

    private final TrustedProxies proxies = TrustedProxies.of(List.of("10.0.0.0/8", "fd00::/8"))
            .users(
                    "X-Forwarded-User",
                    "X-Forwarded-Groups",
                    RoleMapping.of(Map.of("ops", "operator", "dev", "viewer")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "198.51.100.7|198.51.100.7",
                "198.51.100.7, 10.9.9.9|198.51.100.7",
                "127.0.0.1, 198.51.100.7|198.51.100.7",
                "10.4.4.4, 10.9.9.9|10.4.4.4",
                "198.51.100.7:4711|198.51.100.7",
                "[2001:db8::1]:4711|2001:db8::1",
                "2001:db8::1, fd00::1|2001:db8::1",
                "unknown|10.1.2.3",
                "198.51.100.7, unknown, 10.9.9.9|10.9.9.9",
                "''|10.1.2.3"
            })
    void the_client_is_the_last_address_that_no_trusted_proxy_has(String header, String client) {
        assertThat(proxies.resolve(from(PROXY).header("X-Forwarded-For", header))
                        .client())
                .isEqualTo(client);
    }

    @Test
    void headers_of_anybody_else_say_nothing() {
        ConsoleRequest spoofed = from(STRANGER)
                .header("X-Forwarded-For", "127.0.0.1")
                .header("X-Forwarded-Proto", "https")
                .header("X-Forwarded-Host", "localhost")
                .header("X-Forwarded-User", "root")
                .header("X-Forwarded-Groups", "ops");

        assertThat(proxies.resolve(spoofed)).isEqualTo(spoofed);
        assertThat(TrustedProxies.NONE.resolve(spoofed)).isEqualTo(spoofed);
    }

    @Test
    void a_trusted_proxy_says_who_asks_over_what_and_for_which_host() {
        ConsoleRequest request = proxies.resolve(from(PROXY)
                .header("X-Forwarded-For", "198.51.100.7")
                .header("X-Forwarded-Proto", "https")
                .header("X-Forwarded-Host", "console.example")
                .header("X-Forwarded-User", "ann")
                .header("X-Forwarded-Groups", "dev, ops, admin"));

        assertThat(request.secure()).isTrue();
        assertThat(request.header("host")).isEqualTo("console.example");
        assertThat(request.identity()).contains(new Identity("ann", Role.OPERATOR));
    }

    @Test
    void a_user_whose_groups_mean_nothing_may_do_nothing() {
        assertThat(user("ann", "admin, viewer")).isEqualTo(new Identity("ann", Role.ANYONE));
        assertThat(user("ann", "")).isEqualTo(new Identity("ann", Role.ANYONE));
    }

    @Test
    void a_name_that_comes_twice_is_nobodys() {
        assertThat(user("mallory, ann", "ops").role()).isEqualTo(Role.ANYONE);
    }

    @Test
    void without_a_header_for_roles_every_user_is_a_viewer() {
        TrustedProxies simple = TrustedProxies.of(List.of(PROXY)).users("X-User", "", RoleMapping.NAMES);

        assertThat(simple.resolve(from(PROXY).header("X-User", "ann")).identity())
                .contains(new Identity("ann", Role.VIEWER));
        assertThat(simple.resolve(from(PROXY)).identity()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"proxy.example", "10.0.0.0/33", "10.0.0.0/x", "0.0.0.0/0", "::/0", "10.0.0", "", "300.1.1.1"})
    void what_is_no_address_or_every_address_is_refused(String range) {
        assertThatThrownBy(() -> AddressRange.of(range))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("'" + range + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,10.255.0.1,true",
        "10.0.0.0/8,11.0.0.1,false",
        "10.0.0.0/8,::ffff:10.0.0.1,true",
        "192.168.1.128/25,192.168.1.200,true",
        "192.168.1.128/25,192.168.1.127,false",
        "127.0.0.1,127.0.0.1,true",
        "127.0.0.1,127.0.0.2,false",
        "fd00::/8,fd12::1%eth0,true",
        "::1,0:0:0:0:0:0:0:1,true",
        "10.0.0.0/8,localhost,false"
    })
    void a_range_has_the_addresses_that_begin_like_it(String range, String address, boolean contained) {
        assertThat(AddressRange.of(range).contains(address)).isEqualTo(contained);
    }

    @Test
    void headers_that_could_not_count_are_refused() {
        assertThatThrownBy(() -> TrustedProxies.NONE.users("X-User", "", RoleMapping.NAMES))
                .hasMessageContaining("no proxy is trusted");
        assertThatThrownBy(() -> proxies.users("", "X-Role", RoleMapping.NAMES))
                .hasMessageContaining("no header names the user");
        assertThatThrownBy(() -> proxies.headers("X Forwarded", "X-Forwarded-Proto"))
                .hasMessageContaining("is not the name of a header");
        assertThatThrownBy(() -> RoleMapping.of(Map.of("ops", "root"))).hasMessageContaining("'root' is not a role");
    }

    private Identity user(String name, String groups) {
        return proxies.resolve(from(PROXY).header("X-Forwarded-User", name).header("X-Forwarded-Groups", groups))
                .identity()
                .orElseThrow();
    }

    private static ConsoleRequest from(String client) {
        return ConsoleRequest.of("GET", "/api/session").from(client, false);
    }
}
