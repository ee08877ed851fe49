package dev.tidemark.architecture;

import java.util.List;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ArchitectureRules;

import static org.assertj.core.api.Assertions.assertThat;

/** A rule that finds nothing in code that breaks it is no rule. */
class ArchitectureRulesTest {
    private static final JavaClasses SAMPLES =
            new ClassFileImporter().importPackages("dev.tidemark.architecture.sample");

    @Test
    void findLibrariesOutsideOfTheirPackages() {
        assertThat(violations(ArchitectureRules.ROCKS_ONLY_IN_ROCKS)).isNotEmpty();
        assertThat(violations(ArchitectureRules.KAFKA_ONLY_IN_KAFKA)).isNotEmpty();
        assertThat(violations(ArchitectureRules.HTTP_ONLY_IN_HTTP)).isNotEmpty();
        assertThat(violations(ArchitectureRules.MICROMETER_ONLY_IN_METRICS)).isNotEmpty();
    }

    @Test
    void findWhoKnowsAnAdapter() {
        assertThat(violations(ArchitectureRules.CORE_IMPORTS_NO_ADAPTER)).isNotEmpty();
        assertThat(ArchitectureRules.ADAPTERS_DO_NOT_IMPORT_EACH_OTHER)
                .filteredOn(rule -> !violations(rule).isEmpty())
                .hasSize(1);
    }

    @Test
    void findCycles() {
        assertThat(violations(ArchitectureRules.NO_PACKAGE_CYCLES)).isNotEmpty();
    }

    @Test
    void findClocksAndThreads() {
        assertThat(violations(ArchitectureRules.TIME_AND_THREADS_ONLY_IN_RUNTIME))
                .hasSize(3)
                .anyMatch(text -> text.contains("Instant.now()"))
                .anyMatch(text -> text.contains("System.nanoTime()"))
                .anyMatch(text -> text.contains("Thread.<init>"));
    }

    @Test
    void findPackagesThatAreNotNullMarked() {
        assertThat(violations(ArchitectureRules.EVERY_PACKAGE_IS_NULL_MARKED))
                .isNotEmpty()
                .allMatch(text -> text.contains("sample.core"));
    }

    private static List<String> violations(ArchRule rule) {
        return rule.allowEmptyShould(true).evaluate(SAMPLES).getFailureReport().getDetails();
    }
}
