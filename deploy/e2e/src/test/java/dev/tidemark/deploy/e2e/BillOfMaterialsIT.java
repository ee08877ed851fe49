package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class BillOfMaterialsIT {

    @Test
    void theBillListsExactlyTheJarsThatAreShippedEachWithAChecksum() throws Exception {
        Path built = Installation.locate().home().resolve("deploy/cli/target/lib");
        Path file = built.resolveSibling("tidemark-sbom.json");
        assumeTrue(Files.exists(file), "only a build with -Psbom makes a bill");
        JsonNode bill = RowJson.mapper().readTree(file.toFile());
        List<JsonNode> components = StreamSupport.stream(bill.path("components").spliterator(), false)
                .toList();

        assertThat(bill.path("bomFormat").textValue()).isEqualTo("CycloneDX");
        assertThat(components)
                .allSatisfy(each -> assertThat(each.path("hashes"))
                        .as(each.path("purl").textValue())
                        .isNotEmpty());
        assertThat(components)
                .extracting(each -> each.path("name").textValue() + "-"
                        + each.path("version").textValue() + ".jar")
                .containsExactlyInAnyOrderElementsOf(jarsIn(built));
    }

    private static Set<String> jarsIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Set<String> names = new TreeSet<>();
            files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("tidemark.jar"))
                    .forEach(names::add);
            return names;
        }
    }
}
