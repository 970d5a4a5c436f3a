package io.waybill.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.util.ClassUtils;

/** Spring Boot 3 is not part of the build: what it has is known by the names of its classes. */
final class AbsentOnBoot3Test {

    @Test
    void what_is_absent_on_spring_boot_3_is_told_where_actuator_is() {
        assertThat(AbsentOnBoot3.warning("org.springframework.boot.actuate.health.HealthIndicator"::equals))
                .hasValueSatisfying(warning -> assertThat(warning).contains("Spring Boot 3", "health"));
        assertThat(AbsentOnBoot3.warning(name -> false)).as("without Actuator").isEmpty();
        assertThat(AbsentOnBoot3.warning(name -> ClassUtils.isPresent(name, AbsentOnBoot3.class.getClassLoader())))
                .as("on Spring Boot 4")
                .isEmpty();
        assertThat(AbsentOnBoot3.warning(name -> true)).as("with both").isEmpty();
    }
}
