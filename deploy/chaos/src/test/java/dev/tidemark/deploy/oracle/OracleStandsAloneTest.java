package dev.tidemark.deploy.oracle;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.testkit.ArchitectureRules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class OracleStandsAloneTest {
    @Test
    void theOracleUsesNoCodeThatAppliesAnswersOrVerifies() {
        JavaClasses classes = ArchitectureRules.productionClasses();
        noClasses()
                .that()
                .resideInAPackage("dev.tidemark.deploy.oracle")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.tidemark.worker..", "dev.tidemark.writer..", "dev.tidemark.change..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(EntryDeriver.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(KeyWriter.class)
                .check(classes);
    }
}
