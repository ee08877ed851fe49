package dev.tidemark.deploy.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.settings.CatalogFile;

import static org.assertj.core.api.Assertions.assertThat;

final class IndexesReportTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void whatIsAddedIsSharedByTheIndexesBeyondTheFirst() {
        Report report = IndexesBenchmark.report(
                new Machine(Instant.EPOCH, "cpu", 2, "1 GiB", "os", "17", 0.5),
                1_000,
                1,
                Map.of(IndexBuilder.IndexShape.ALL, new TreeMap<>(Map.of(1, rate(100_000), 4, rate(40_000)))));

        assertThat(report.markdown())
                .contains("| all | 1 | 100,000 (100,000 to 100,000) | 10.0 |  |")
                .contains("| all | 4 | 40,000 (40,000 to 40,000) | 25.0 | 5.0 |");
        assertThat(report.json().at("/all/4/medianPerSecond").asDouble()).isEqualTo(40_000);
    }

    @Test
    void everyCatalogCanBeReadAndHasAsManyIndexesAsAskedFor() throws Exception {
        for (int indexes = 1; indexes <= IndexesBenchmark.MOST_INDEXES; indexes++) {
            Path file = Files.writeString(
                    directory.resolve("catalog.yaml"),
                    IndexesBenchmark.catalog(IndexBuilder.IndexShape.KEYS_ONLY, indexes));
            Catalog catalog = CatalogFile.read(file);

            assertThat(catalog.table("customers").orElseThrow().indexes()).hasSize(indexes);
        }
    }

    @Test
    void theTablesOfGlobalIndexesHaveAsManyAsThoseOfLocalOnes() throws Exception {
        Path file = Files.writeString(directory.resolve("catalog.yaml"), PlacementsSuite.catalog());
        Catalog catalog = CatalogFile.read(file);

        assertThat(catalog.table("built").orElseThrow().indexes()).isEmpty();
        for (int number : List.of(0, 1, 4)) {
            assertThat(catalog.table("local_" + number).orElseThrow().indexes())
                    .hasSize(number)
                    .noneMatch(IndexDefinition::isGlobal);
            assertThat(catalog.table("global_" + number).orElseThrow().indexes())
                    .hasSize(number)
                    .allMatch(IndexDefinition::isGlobal);
            assertThat(PlacementsSuite.figures())
                    .extracting(Figure::key)
                    .filteredOn(name -> name.endsWith("_" + number))
                    .hasSize(6);
        }
    }

    private static RoundSpread rate(double perSecond) {
        return RoundSpread.of(List.of(perSecond));
    }
}
