package io.waybill.jdbc.layout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** A time zone whose clocks have just been changed, so that no test waits for the last Sunday of a month. */
final class ChangingZone extends ZoneRulesProvider {

    private static final ZoneOffset WINTER = ZoneOffset.ofHours(1);
    private static final ZoneOffset SUMMER = ZoneOffset.ofHours(2);

    private final String id = "Test/" + UUID.randomUUID();
    private final ZoneRules rules;

    private ChangingZone(ZoneOffset before, ZoneOffset after, Duration ago) {
        Instant change = Clock.systemUTC().instant().minus(ago).truncatedTo(ChronoUnit.SECONDS);
        var transition = ZoneOffsetTransition.of(LocalDateTime.ofInstant(change, before), before, after);
        this.rules = ZoneRules.of(WINTER, before, List.of(), List.of(transition), List.of());
    }

    /** Clocks were put back by an hour so long ago. */
    static ZoneId putBack(Duration ago) {
        return registered(new ChangingZone(SUMMER, WINTER, ago));
    }

    /** Clocks were put forward by an hour so long ago. */
    static ZoneId putForward(Duration ago) {
        return registered(new ChangingZone(WINTER, SUMMER, ago));
    }

    private static ZoneId registered(ChangingZone zone) {
        registerProvider(zone);
        return ZoneId.of(zone.id);
    }

    @Override
    protected Set<String> provideZoneIds() {
        return Set.of(id);
    }

    @Override
    protected ZoneRules provideRules(String zoneId, boolean forCaching) {
        return rules;
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
        return new TreeMap<>(java.util.Map.of("1", rules));
    }
}
