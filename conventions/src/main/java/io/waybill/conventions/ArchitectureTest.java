package io.waybill.conventions;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The dependency direction of the product, run in every module by Surefire ({@code dependenciesToScan} in the parent pom).
 * Each rule says how to fix what it finds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public class ArchitectureTest {

    /** Core's packages in the order of a message's journey: each may know those before it. */
    private static final List<String> JOURNEY = List.of(
            "message", "store", "transport", "observe", "outbox", "relay", "inbox", "command", "process", "ops");

    /** More than that is a list to search, not a place to know. */
    private static final int MAX_TYPES = 16;

    private static final String[] STORES = {"io.waybill.jdbc.."};
    private static final String[] TRANSPORTS = {
        "io.waybill.kafka..", "io.waybill.rabbitmq..", "io.waybill.jms..", "io.waybill.webhook.."
    };
    private static final String[] INTEGRATIONS = {"io.waybill.micronaut..", "io.waybill.spring.."};

    /** The classes of the module whose tests are running. */
    private JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .importPackages("io.waybill");

    ArchitectureTest on(JavaClasses others) {
        this.classes = others;
        return this;
    }

    @Test
    void a_package_of_core_knows_only_those_before_it() {
        for (int i = 0; i < JOURNEY.size(); i++) {
            String[] later = JOURNEY.subList(i + 1, JOURNEY.size()).stream()
                    .map(name -> "io.waybill." + name + "..")
                    .toArray(String[]::new);
            if (later.length > 0) {
                check(
                        noClasses()
                                .that()
                                .resideInAPackage("io.waybill." + JOURNEY.get(i) + "..")
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(later)
                                .because(
                                        "the journey goes " + String.join(" <- ", JOURNEY)
                                                + ": move the shared type to the earlier package, or let the later one pass a function in"));
            }
        }
        check(noClasses()
                .that()
                .resideInAPackage("io.waybill.store..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.waybill.transport..")
                .because("stores and transports never see each other: what both need belongs in io.waybill.message"));
        check(noClasses()
                .that()
                .resideInAPackage("io.waybill.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.waybill.store..")
                .because("stores and transports never see each other: what both need belongs in io.waybill.message"));
    }

    @Test
    void core_stands_on_the_JDK_slf4j_and_jspecify_alone() {
        String[] core =
                JOURNEY.stream().map(name -> "io.waybill." + name + "..").toArray(String[]::new);
        check(
                noClasses()
                        .that(resideInAnyPackage(core).or(resideInAPackage("io.waybill")))
                        .should()
                        .dependOnClassesThat()
                        .resideOutsideOfPackages(
                                "java..", "javax.sql..", "org.slf4j..", "org.jspecify..", "io.waybill..")
                        .because(
                                "core is what every user gets: put code that needs a driver, a broker or a framework into the"
                                        + " module that has that dependency, behind an SPI of io.waybill.store or io.waybill.transport"));
    }

    @Test
    void stores_and_transports_never_see_each_other() {
        check(noClasses()
                .that()
                .resideInAnyPackage(TRANSPORTS)
                .should()
                .dependOnClassesThat(resideInAnyPackage(STORES)
                        .or(resideInAnyPackage("io.waybill.store..", "org.postgresql..", "org.mariadb..", "org.h2..")))
                .because("a transport gets messages and returns outcomes: let the relay read and settle, and take what"
                        + " you need from io.waybill.message"));
        check(noClasses()
                .that()
                .resideInAnyPackage(STORES)
                .should()
                .dependOnClassesThat(resideInAnyPackage(TRANSPORTS).or(resideInAPackage("io.waybill.transport..")))
                .because("a store keeps messages and does not send them: let the relay call the transport, and take"
                        + " what you need from io.waybill.message"));
    }

    @Test
    void integrations_only_wire() {
        check(noClasses()
                .that()
                .resideInAnyPackage(INTEGRATIONS)
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.sql.PreparedStatement")
                .because("SQL belongs in io.waybill.jdbc, so that every user gets it: add the operation to the store"));
    }

    @Test
    void nobody_reaches_into_the_internals_of_another_package() {
        check(ArchRuleDefinition.classes()
                .should(new ArchCondition<JavaClass>("use only their own internal packages") {
                    @Override
                    public void check(JavaClass item, ConditionEvents events) {
                        item.getDirectDependenciesFromSelf().stream()
                                .filter(dependency -> isForeignInternal(item, dependency.getTargetClass()))
                                .forEach(dependency -> events.add(
                                        SimpleConditionEvent.violated(dependency, dependency.getDescription())));
                    }
                })
                .because("internal types may change at any time: use the package's public face, or make the type public"
                        + " on purpose"));
    }

    @Test
    void packages_have_no_cycles() {
        check(slices().matching("io.waybill.(**)")
                .should()
                .beFreeOfCycles()
                .because("a cycle means that two packages are one: move the type that closes it"));
    }

    @Test
    void a_package_has_at_most_16_types() {
        var tests = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
                .importPackages("io.waybill");
        List.of(classes, tests)
                .forEach(tree -> tree.stream()
                        .filter(type -> !type.getName().contains("$")
                                && !type.getSimpleName().equals("package-info"))
                        .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()))
                        .forEach((name, types) -> assertTrue(
                                types <= MAX_TYPES,
                                () -> name + " has " + types + " types, more than " + MAX_TYPES
                                        + ": move what is used together to a package of its own")));
    }

    private static boolean isForeignInternal(JavaClass from, JavaClass target) {
        String name = target.getPackageName();
        int at = name.indexOf(".internal");
        return name.startsWith("io.waybill.")
                && at >= 0
                && !from.getPackageName().startsWith(name.substring(0, at));
    }

    private void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(classes);
    }
}
