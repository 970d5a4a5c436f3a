package io.waybill.message.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "0",
                "-1.5e+10",
                "\"\"",
                "\"\\u00e9\\n\"",
                " { \"a\" : [ 1 , { } ] } ",
                "[[[]]]",
                "1E5"
            })
    void well_formed(String text) {
        assertThat(Json.problemIn(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\"}",
                "{a:1}",
                "01",
                "1.",
                ".5",
                "+1",
                "tru",
                "nul",
                "\"",
                "\"\\x\"",
                "\"\\u12\"",
                "{} {}",
                "[1 2]",
                "'a'",
                "\"a\tb\"",
                "NaN",
                "{\"a\":1,}"
            })
    void malformed(String text) {
        assertThat(Json.problemIn(text)).isPresent();
    }

    @Test
    void nesting_has_a_limit() {
        assertThat(Json.problemIn("[".repeat(100_000)))
                .hasValueSatisfying(problem -> assertThat(problem).contains("nested deeper than 512"));
    }

    @Test
    void headers_come_back_as_they_were() {
        var headers = Map.of("plain", "value", "q\"uote", "a\\b\n\u0001", "unicode", "Zażółć 😀");

        assertThat(Json.readFlat(Json.writeFlat(headers))).isEqualTo(headers);
        assertThat(Json.writeFlat(Map.of())).isEmpty();
        assertThat(Json.readFlat("")).isEmpty();
    }

    @Test
    void headers_written_by_others_may_have_values_of_any_kind() {
        assertThat(Json.readFlat("{\"n\": 1, \"b\": true, \"o\": {\"x\": [1]}, \"s\": \"\\u0041\"}"))
                .isEqualTo(Map.of("n", "1", "b", "true", "o", "{\"x\": [1]}", "s", "A"));
        assertThatThrownBy(() -> Json.readFlat("[1]")).hasMessageContaining("not a JSON object of headers");
    }
}
