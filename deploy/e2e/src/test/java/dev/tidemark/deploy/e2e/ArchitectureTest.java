package dev.tidemark.deploy.e2e;

import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.tidemark.testkit.ArchitectureRules;

import static org.assertj.core.api.Assertions.assertThat;

/** The modules keep the rules of the architecture. They are read once, where they all are on the class path. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.productionClasses();

    @TestFactory
    Stream<DynamicTest> keepsTheRules() {
        return ArchitectureRules.tests(CLASSES);
    }

    @Test
    void looksAtEveryModule() {
        assertThat(CLASSES.stream().map(each -> each.getPackageName()))
                .contains(
                        "dev.tidemark.row",
                        "dev.tidemark.runtime",
                        "dev.tidemark.writer",
                        "dev.tidemark.worker",
                        "dev.tidemark.client",
                        "dev.tidemark.source",
                        "dev.tidemark.deploy.cli",
                        "dev.tidemark.deploy.drill.machine",
                        "dev.tidemark.deploy.probe",
                        "dev.tidemark.deploy.bench");
    }
}
