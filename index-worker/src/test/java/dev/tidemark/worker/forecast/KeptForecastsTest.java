package dev.tidemark.worker.forecast;

import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class KeptForecastsTest {
    private final ForecastJobs forecasts = new ForecastJobs();

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
            keep(index("field" + i), i, List.of(refusal));
        }

        assertThat(forecasts.forecast(index("field0"))).isEmpty();
        assertThat(forecasts.forecast(index("field1"))).isEmpty();
        assertThat(forecasts.forecast(index("field2"))).isPresent();
    }

    private void keep(IndexDefinition index, long entries) {
        keep(index, entries, List.of());
    }

    private void keep(IndexDefinition index, long entries, List<IndexForecast.Refusal> examples) {
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
                Duration.ZERO);
        ForecastJob job = forecasts.ask(Tables.catalog(), 1, 1).orElseThrow();
        TableForecast table = new TableForecast("films", entries, 1, 0, "test", List.of(forecast));
        forecasts.report(job.id(), new ForecastJob.Done(List.of(table)));
    }

    private static IndexDefinition index(String field) {
        Catalog catalog = Tables.catalog("tables: {films: {primaryKey: id, indexes: {by_it: {key: [" + field + "]}}}}");
        return catalog.indexes().get(0);
    }
}
