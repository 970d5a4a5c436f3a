package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReferencedClassesTest {

    @Test
    void what_a_factory_makes_is_seen_without_calling_it() {
        assertThat(ReferencedClasses.of(Factory.class))
                .contains(ArrayList.class, Made.class)
                .doesNotContain(LinkedList.class);
    }

    @Test
    void a_class_without_a_file_names_nothing() {
        Runnable generated = () -> {};

        assertThat(ReferencedClasses.of(generated.getClass())).isEmpty();
        assertThat(ReferencedClasses.of(int.class)).isEmpty();
    }

    static final class Factory {
        static final long LONG = 1L << 40;
        static final double DOUBLE = 0.25;

        List<String> list() {
            return new ArrayList<>();
        }

        Object made() {
            return new Made(LONG, DOUBLE);
        }
    }

    record Made(long one, double other) {}
}
