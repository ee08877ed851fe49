package dev.tidemark.deploy.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.settings.CatalogFile;

import static org.assertj.core.api.Assertions.assertThat;

final class SamplesTest {
    static final List<String> TABLES = Samples.TABLES;

    @ParameterizedTest
    @FieldSource("TABLES")
    void everyRowHasAKeyOfItsOwnAndAnEntryInEveryIndex(String table)
            throws BadInputException, IOException, StackException {
        TableDefinition definition = catalog().table(table).orElseThrow();
        Set<KeyBytes> keys = new HashSet<>();
        for (ObjectNode row : rows(table)) {
            KeyBytes key = definition.keyOf(row);
            assertThat(keys.add(key)).as("%s stands once", row).isTrue();
            for (IndexDefinition index : definition.indexes()) {
                assertThat(new EntryDeriver(index)
                                .derive(key, RowDocument.of(row))
                                .keys())
                        .as("entries of %s in %s", row, index.name())
                        .isNotEmpty();
            }
        }
    }

    @Test
    void companyEighteenStandsInExactlyFourRows() throws BadInputException, IOException, StackException {
        List<Integer> rows = rows("companies").stream()
                .filter(row -> row.path("companyId").asInt() == 18)
                .map(row -> row.path("row").asInt())
                .toList();

        assertThat(rows("companies")).hasSize(17);
        assertThat(rows).containsExactly(4, 9, 10, 15);
    }

    @Test
    void tyreTablesAreComplete() throws BadInputException, IOException, StackException {
        List<ObjectNode> loads = rows("tyre_loads");
        assertThat(loads).hasSize(200);
        assertThat(loads.get(91).path("maxLoadKg").asDouble()).isEqualTo(615);
        assertThat(rows("tyre_speeds"))
                .filteredOn(row -> row.path("speedIndex").asText().equals("V"))
                .singleElement()
                .satisfies(row -> assertThat(row.path("maxSpeedKmh").asInt()).isEqualTo(240));
    }

    @Test
    void theFilmsAreManyAndOfAllErasWithGenresAndCast() throws BadInputException, IOException, StackException {
        List<ObjectNode> movies = rows("movies");

        assertThat(movies).hasSizeGreaterThanOrEqualTo(100);
        assertThat(movies).allSatisfy(movie -> {
            assertThat(movie.path("cast")).isNotEmpty();
            assertThat(movie.path("genres")).isNotEmpty();
            assertThat(movie.path("movieId").asText())
                    .endsWith("-" + movie.path("year").asInt());
        });
        assertThat(movies)
                .extracting(movie -> movie.path("year").asInt() / 10 * 10)
                .contains(1920, 1950, 1980, 2010);
    }

    @Test
    void everyQuestionOfTheDemoHasAnAnswer() throws BadInputException, IOException, StackException {
        for (DemoQueries.Chapter chapter : DemoQueries.all()) {
            for (DemoQuery question : chapter.questions()) {
                assertThat(catalog().indexesNamed(question.query().index())).hasSize(1);
                assertThat(rows(question.table())).as(question.words()).anyMatch(question.matches());
            }
        }
    }

    private static Catalog catalog() throws BadInputException, StackException {
        return CatalogFile.read(samples().catalog());
    }

    private static List<ObjectNode> rows(String table) throws BadInputException, IOException, StackException {
        List<ObjectNode> rows = new ArrayList<>();
        for (String line : Files.readAllLines(samples().rows(table))) {
            rows.add(RowJson.parseObject(line.getBytes(StandardCharsets.UTF_8)));
        }
        return rows;
    }

    private static Samples samples() throws StackException {
        return new Samples(Installation.locate().samples());
    }
}
