package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource({
        "postgresql://app@db:5433/shop, jdbc:postgresql://db:5433/shop, postgresql://db:5433/shop",
        "postgres://db/shop?sslmode=require, jdbc:postgresql://db/shop?sslmode=require, postgres://db/shop",
        "mariadb://app@db/shop, jdbc:mariadb://db/shop, mariadb://db/shop",
        "mysql://app@[::1]:3307/shop, jdbc:mariadb://[::1]:3307/shop, mysql://[::1]:3307/shop",
        "jdbc:mysql://db/shop?useSsl=true, jdbc:mariadb://db/shop?useSsl=true, jdbc:mysql://db/shop",
        "jdbc:h2:mem:shop;MODE=x, jdbc:h2:mem:shop;MODE=x, jdbc:h2:mem:shop"
    })
    void a_url_is_understood_and_shown_without_its_user(String text, String jdbc, String shown) {
        var url = DatabaseUrl.parse(text);

        assertThat(url.jdbc()).isEqualTo(jdbc);
        assertThat(url).hasToString(shown);
    }

    @Test
    void a_password_may_have_any_character() {
        var url = DatabaseUrl.parse("postgresql://the%20app:p@ss:/w%25rd+@db/shop");

        assertThat(url.user()).isEqualTo("the app");
        assertThat(url.password()).isEqualTo("p@ss:/w%rd+");
        assertThat(url).hasToString("postgresql://db/shop");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/shop?user=app&password=secret",
                "jdbc:h2:mem:shop;USER=sa;PASSWORD=secret",
                "postgresql://app:secret@db/shop",
                "postgresql://db/shop?password=secret&user=app"
            })
    void a_password_is_recognised_and_never_shown(String text) {
        var url = DatabaseUrl.parse(text);

        assertThat(url.password()).isEqualTo("secret");
        assertThat(url.toString()).doesNotContain("secret", "app");
        assertThat(url.redacted("No driver for " + url.jdbc() + "\n with 'secret'"))
                .doesNotContain("secret")
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "oracle://app:secret@db/shop",
                "jdbc:oracle:thin:app/secret@db",
                "postgresql://app:secret@db",
                "postgresql://app:secret@db:port/shop",
                "postgresql://app:secret%zz@db/shop",
                "postgresql://app:secret@/shop"
            })
    void nonsense_is_refused_without_repeating_it(String text) {
        assertThatThrownBy(() -> DatabaseUrl.parse(text))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("--db")
                .message()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, refused the user or the password",
        "3D000, There is no database",
        "42P01, waybill schema apply",
        "08001, Could not connect",
        "XX000, responded"
    })
    void what_a_database_objects_to_is_said_in_one_line(String state, String expected) {
        var url = DatabaseUrl.parse("postgresql://app:secret@db/shop");

        assertThat(DatabaseErrors.explained(url, new SQLException("ERROR: secret\n  Position: 1", state)))
                .message()
                .contains(expected, "postgresql://db/shop")
                .doesNotContain("secret", "\n");
    }
}
