package io.waybill.conventions;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The rules find what they are for, and say how to mend it. */
class ArchitectureRulesTest {

    private final ArchitectureTest rules =
            new ArchitectureTest().on(new ClassFileImporter().importPackages("io.waybill"));

    @Test
    void a_package_of_core_that_looks_ahead_is_found() {
        finds(
                rules::a_package_of_core_knows_only_those_before_it,
                "WronglyKnowsTheStore",
                "what both need belongs in io.waybill.message");
    }

    @Test
    void a_library_in_core_is_found() {
        finds(
                rules::core_stands_on_the_JDK_slf4j_and_jspecify_alone,
                "WronglyKnowsALibrary",
                "put code that needs a driver, a broker or a framework into the module that has that dependency");
    }

    @Test
    void a_transport_that_knows_a_store_is_found() {
        finds(
                rules::stores_and_transports_never_see_each_other,
                "io.waybill.kafka.WronglyKnowsTheStore",
                "let the relay read and settle");
    }

    private static void finds(Executable rule, String... words) {
        String message = String.valueOf(assertThrows(AssertionError.class, rule).getMessage());
        for (String word : words) {
            assertTrue(message.contains(word), () -> "'" + word + "' is missing in: " + message);
        }
    }
}
