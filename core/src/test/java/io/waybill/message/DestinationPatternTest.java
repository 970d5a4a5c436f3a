package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DestinationPatternTest {

    @Test
    void two_asterisks_match_everything_line_breaks_too() {
        assertThat(DestinationPattern.of("**").matches("a.b\nc\r\n\u2028d")).isTrue();
        assertThat(DestinationPattern.of("a.*").matches("a.b\nc")).isTrue();
        assertThat(DestinationPattern.of("a.*").matches("a.b.c")).isFalse();
    }
}
