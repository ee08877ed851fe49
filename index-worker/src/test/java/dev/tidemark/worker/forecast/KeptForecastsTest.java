package dev.tidemark.worker.forecast;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class KeptForecastsTest {
    private final ForecastJobs forecasts = new ForecastJobs(0);

    @Test
    void theNewestForecastOfADefinitionCounts() {
        keep(index("rating"), 10);
        keep(index("rating"), 20);

        assertThat(forecasts.forecast(index("rating")))
                .hasValueSatisfying(kept -> assertThat(kept.index().entries()).isEqualTo(20));
    }

    @Test
    void anotherDefinitionUnderTheSameNameWasNotForecast() {
        keep(index("rating"), 10);

        assertThat(forecasts.forecast(index("year"))).isEmpty();
    }

    @Test
    void theOldestGoesWhenThereAreTooMany() {
        for (int i = 0; i <= ForecastJobs.MOST; i++) {
            keep(index("field" + i), i);
        }

        assertThat(forecasts.forecast(index("field0"))).isEmpty();
        assertThat(forecasts.forecast(index("field1"))).isPresent();
        assertThat(forecasts.forecast(index("field" + ForecastJobs.MOST))).isPresent();
    }

    @Test
    void theOldestGoesWhenTheKeysOfAllAreManyBytes() {
        IndexForecast.Refusal refusal = new IndexForecast.Refusal(TextNode.valueOf("x"), "y".repeat(1 << 20));
        for (int i = 0; i < 5; i++) {
            keep(index("field" + i), i, List.of(refusal), Optional.empty());
        }

        assertThat(forecasts.forecast(index("field0"))).isEmpty();
        assertThat(forecasts.forecast(index("field1"))).isEmpty();
        assertThat(forecasts.forecast(index("field2"))).isPresent();
    }

    @Test
    void aGlobalIndexHasARowInEachPartitionOfItsEntries() {
        keep(index("rating"), 10);
        keep(index("tags"), 10, List.of(), Optional.of(new IndexForecast.Placements(4, 2.5, 3, 1)));

        assertThat(forecasts.forecast(index("rating")).orElseThrow().rows()).isEqualTo(10);
        assertThat(forecasts.forecast(index("tags")).orElseThrow().rows()).isEqualTo(25);
    }

    private void keep(IndexDefinition index, long entries) {
        keep(index, entries, List.of(), Optional.empty());
    }

    private void keep(
            IndexDefinition index,
            long entries,
            List<IndexForecast.Refusal> examples,
            Optional<IndexForecast.Placements> placements) {
        IndexForecast forecast = new IndexForecast(
                new IndexChange.Create(index),
                entries,
                1,
                0,
                0,
                1,
                List.of(),
                0,
                examples,
                Duration.ZERO,
                Duration.ZERO,
                placements);
        ForecastJob job = forecasts.ask(Tables.catalog(), 1, 1).orElseThrow();
        TableForecast table = new TableForecast("films", entries, 1, 0, "test", List.of(forecast));
        forecasts.report(job.id(), new ForecastJob.Done(List.of(table)));
    }

    private static IndexDefinition index(String field) {
        Catalog catalog = Tables.catalog("tables: {films: {primaryKey: id, indexes: {by_it: {key: [" + field + "]}}}}");
        return catalog.indexes().get(0);
    }
}
