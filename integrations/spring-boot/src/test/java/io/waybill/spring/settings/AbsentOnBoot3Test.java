package io.waybill.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;

final class AbsentOnBoot3Test {

    @Test
    void what_is_absent_on_spring_boot_3_is_told_where_actuator_is() {
        ClassLoader withoutAny = new FilteredClassLoader("org.springframework.boot.health");

        assertThat(AbsentOnBoot3.warning(withActuator3(withoutAny)))
                .hasValueSatisfying(warning -> assertThat(warning).contains("Spring Boot 3", "health"));
        assertThat(AbsentOnBoot3.warning(withoutAny)).as("without Actuator").isEmpty();
        assertThat(AbsentOnBoot3.warning(AbsentOnBoot3.class.getClassLoader()))
                .as("on Spring Boot 4")
                .isEmpty();
    }

    /** Knows a class of the name that Spring Boot 3 has: its own jars are not part of the build. */
    private static ClassLoader withActuator3(ClassLoader parent) {
        return new ClassLoader(parent) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals("org.springframework.boot.actuate.health.HealthIndicator")
                        ? Runnable.class
                        : super.loadClass(name, resolve);
            }
        };
    }
}
