package dev.tidemark.worker.forecast;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class IndexForecasterTest {
    private static final CostBasis BASIS = CostBasis.of(Optional.of(Duration.ofNanos(10_000)), 2);

    private final TableDefinition films = Tables.films();

    @Test
    void scalesWhatTheSampleGivesToTheWholeTable() {
        IndexForecaster forecaster = forecaster("by_actor");
        for (int id = 1; id <= 10; id++) {
            add(forecaster, "{\"id\":" + id + ",\"title\":\"t\",\"cast\":[\"Weaver\",\"actor " + id + "\"]}");
        }

        IndexForecast forecast = forecaster.forecast(0.1, BASIS);

        assertThat(forecast.entries()).isEqualTo(200);
        assertThat(forecast.entriesPerRow()).isEqualTo(2);
        assertThat(forecast.carriedBytes()).isEqualTo(200L * "{\"title\":\"t\"}".length());
        assertThat(forecast.hottest().get(0))
                .isEqualTo(new IndexForecast.HotKey(List.of(TextNode.valueOf("Weaver")), 100, 0));
        assertThat(forecast.build()).isEqualTo(Duration.ofMillis(1));
        assertThat(forecast.applyPerChange()).isEqualTo(Duration.ofNanos(10_000));
    }

    @Test
    void namesRowsThatTheIndexCannotHoldAndCountsTheOthers() {
        IndexForecaster forecaster = forecaster("by_actor");
        for (int id = 1; id <= 40; id++) {
            add(forecaster, "{\"id\":" + id + ",\"cast\":\"not a list\"}");
        }
        add(forecaster, "{\"id\":41,\"cast\":[\"Weaver\"]}");

        IndexForecast forecast = forecaster.forecast(0.5, BASIS);

        assertThat(forecast.refused()).isEqualTo(80);
        assertThat(forecast.examples()).hasSize(IndexForecaster.EXAMPLES);
        assertThat(forecast.examples().get(0).reason()).contains("field cast", "expected an array");
        assertThat(forecast.entries()).isEqualTo(2);
    }

    @Test
    void entriesThatAreMuchAlikeAreSmallerOnDisk() {
        IndexForecaster forecaster = forecaster("whole");
        for (int id = 1; id <= 1_000; id++) {
            add(forecaster, "{\"id\":" + id + ",\"title\":\"a title like any other\",\"text\":\"again and again\"}");
        }

        IndexForecast forecast = forecaster.forecast(1, BASIS);

        assertThat(forecast.diskRatio()).isLessThan(0.3);
        assertThat(forecast.diskBytes())
                .isCloseTo(
                        Math.round((forecast.keyBytes() + forecast.carriedBytes()) * forecast.diskRatio()), within(1L));
    }

    @Test
    void aGlobalIndexCostsARecordForEachPartitionOfARow() {
        IndexForecaster forecaster = global("key: [{field: cast, each: true}], partitions: 1024");
        for (int id = 1; id <= 100; id++) {
            add(forecaster, "{\"id\":" + id + (id % 2 == 0 ? ",\"cast\":[\"Weaver\",\"actor " + id + "\"]}" : "}"));
        }

        IndexForecast forecast = forecaster.forecast(0.5, BASIS);
        IndexForecast.Placements placements = forecast.placements().orElseThrow();

        assertThat(placements.partitions()).isEqualTo(1_024);
        assertThat(placements.recordsPerChange()).isEqualTo(1);
        assertThat(placements.recordsPerMove())
                .as("one of two rows is left out")
                .isCloseTo(2, within(0.05));
        assertThat(forecast.applyPerChange()).isEqualTo(BASIS.perRow());
        assertThat(forecast.build()).isEqualTo(BASIS.perRow().multipliedBy(200));
    }

    @Test
    void aChangeOfAKeyCostsTwoRecordsWhereItMovesToAnotherPartition() {
        IndexForecast.Placements few = yearly("key: [year], partitions: 1", 1);
        IndexForecast.Placements many = yearly("key: [year], partitions: 1024", 1);

        assertThat(few.recordsPerChange()).isEqualTo(1);
        assertThat(few.recordsPerMove()).isEqualTo(1);
        assertThat(many.recordsPerChange()).isEqualTo(1);
        assertThat(many.recordsPerMove()).isCloseTo(2, within(0.05));
    }

    @Test
    void theTopicOfAGlobalIndexHasWhatTheIndexNeedsOfEachRow() {
        long keys = yearly("key: [year], projection: keys_only", 1).topicBytes();
        long whole = yearly("key: [year], projection: all", 1).topicBytes();

        assertThat(keys).isPositive();
        // 100 titles of 32 hexadecimal digits, which are not compressed to less than half.
        assertThat(whole).isGreaterThan(keys + 1_500);
        assertThat(yearly("key: [year], projection: all", 0.1).topicBytes()).isCloseTo(10 * whole, within(10L));
    }

    @Test
    void aLocalIndexHasNoTopic() {
        assertThat(forecaster("by_year").forecast(1, BASIS).placements()).isEmpty();
    }

    @Test
    void aTableWithoutRowsGivesAnIndexWithoutEntries() {
        IndexForecast forecast = forecaster("by_year").forecast(1, BASIS);

        assertThat(forecast.entries()).isZero();
        assertThat(forecast.build()).isZero();
        assertThat(forecast.hottest()).isEmpty();
    }

    @Test
    void theBasisSaysWhetherItWasMeasured() {
        assertThat(BASIS.text()).contains("10.0 µs a change with 2.0 entries a row", "measured by this worker");
        assertThat(BASIS.perEntry()).isEqualTo(Duration.ofNanos(5_000));
        assertThat(CostBasis.of(Optional.empty(), 2).text()).contains("12.5 µs", "has measured none yet");
    }

    private static IndexForecaster global(String index) {
        TableDefinition table = Tables.catalog(
                        "tables: {films: {primaryKey: id, indexes: {it: {scope: global, " + index + "}}}}")
                .tables()
                .get(0);
        return new IndexForecaster(table, new IndexChange.Create(table.indexes().get(0)));
    }

    private IndexForecast.Placements yearly(String index, double fraction) {
        IndexForecaster forecaster = global(index);
        Random random = new Random(7);
        for (int id = 1; id <= 100; id++) {
            String title = Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
            add(forecaster, "{\"id\":" + id + ",\"year\":" + id + ",\"title\":\"" + title + "\"}");
        }
        return forecaster.forecast(fraction, BASIS).placements().orElseThrow();
    }

    private IndexForecaster forecaster(String index) {
        return new IndexForecaster(
                films, new IndexChange.Create(films.index(index).orElseThrow()));
    }

    private void add(IndexForecaster forecaster, String json) {
        try {
            RowDocument row = RowDocument.parse(json.getBytes(StandardCharsets.UTF_8));
            forecaster.row(films.keyOf(row.tree()), row);
        } catch (BadJsonException | BadKeyException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
