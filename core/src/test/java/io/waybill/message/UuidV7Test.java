package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidV7Test {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    @Test
    void an_id_holds_its_millisecond_version_and_variant() {
        UUID id = new UuidV7(Clock.fixed(NOW, ZoneOffset.UTC)).get();

        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
    }

    @Test
    void ids_rise_even_while_the_clock_stands_still() {
        var ids = new UuidV7(Clock.fixed(NOW, ZoneOffset.UTC));
        var seen = new HashSet<UUID>();
        String last = "";
        for (int i = 0; i < 20_000; i++) {
            UUID id = ids.get();
            assertThat(id.toString()).isGreaterThan(last);
            assertThat(seen.add(id)).isTrue();
            last = id.toString();
        }
    }
}
