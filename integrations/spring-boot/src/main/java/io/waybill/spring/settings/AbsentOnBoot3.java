package io.waybill.spring.settings;

import java.util.Optional;
import java.util.function.Predicate;

/** What the starter does not do on Spring Boot 3, where Actuator's classes have other names. */
public final class AbsentOnBoot3 {

    private static final String HEALTH_OF_3 = "org.springframework.boot.actuate.health.HealthIndicator";
    private static final String HEALTH_OF_4 = "org.springframework.boot.health.contributor.HealthIndicator";

    private AbsentOnBoot3() {}

    /** A sentence for the log; nothing where health is there, or nobody asks for it. */
    public static Optional<String> warning(Predicate<String> isPresent) {
        boolean absent = isPresent.test(HEALTH_OF_3) && !isPresent.test(HEALTH_OF_4);
        return absent
                ? Optional.of(
                        "This is Spring Boot 3, whose Actuator health does not show Waybill; everything else works. Write an"
                                + " indicator with Waybill.isAlive() and store().schemaStatus(), or use Spring Boot 4.")
                : Optional.empty();
    }
}
