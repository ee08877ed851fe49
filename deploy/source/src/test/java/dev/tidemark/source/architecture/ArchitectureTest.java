package dev.tidemark.source.architecture;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import dev.tidemark.testkit.ArchitectureRules;

class ArchitectureTest {

    @TestFactory
    Stream<DynamicTest> keepsTheRules() {
        return ArchitectureRules.tests(ArchitectureRules.productionClasses());
    }
}
