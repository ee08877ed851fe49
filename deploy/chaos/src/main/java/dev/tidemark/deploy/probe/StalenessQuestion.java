package dev.tidemark.deploy.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.index.IndexDefinition;

/** What the prober asks beside its queries: how stale the index is. */
enum StalenessQuestion {
    /** The writer's metrics: freshness of the index. */
    WRITER_METRICS,
    /** A worker's metrics: freshness of the index and lag of its partitions. */
    WORKER_METRICS,
    /** A worker's lag summary. */
    LAG_SUMMARY;

    private static final String METRICS = "/metrics";
    private static final String FRESHNESS = "tidemark_index_freshness_seconds";
    private static final String LAG = "tidemark_index_lag_seconds";

    /** A value that a service gave for some partitions, or for all when none is named. */
    record Reading(Source source, Set<Integer> partitions, OptionalDouble seconds) {}

    /** The sources that answer. */
    List<Source> sources() {
        return switch (this) {
            case WRITER_METRICS -> List.of(Source.WRITER_FRESHNESS);
            case WORKER_METRICS -> List.of(Source.WORKER_FRESHNESS, Source.WORKER_LAG);
            case LAG_SUMMARY -> List.of(Source.LAG_API);
        };
    }

    /** One reading of each source, or one for each partition. */
    List<Reading> ask(ServiceCaller service, IndexDefinition index) throws IOException, InterruptedException {
        return switch (this) {
            case WRITER_METRICS -> {
                OptionalDouble seconds = freshness(metrics(service), index);
                yield List.of(new Reading(Source.WRITER_FRESHNESS, Set.of(), seconds));
            }
            case WORKER_METRICS -> ofWorker(metrics(service), index);
            case LAG_SUMMARY -> List.of(summary(service.json("/v1/lag"), index));
        };
    }

    private static String metrics(ServiceCaller service) throws IOException, InterruptedException {
        return service.get(METRICS).require(METRICS).body();
    }

    private static List<Reading> ofWorker(String text, IndexDefinition index) {
        List<Reading> readings = new ArrayList<>();
        Set<Integer> held = new TreeSet<>();
        for (MetricText.Sample sample : MetricText.samples(text, LAG, labels(index))) {
            String partition = sample.labels().getOrDefault("partition", "");
            if (partition.matches("\\d{1,6}")) {
                held.add(Integer.parseInt(partition));
                readings.add(new Reading(Source.WORKER_LAG, Set.of(Integer.parseInt(partition)), sample.value()));
            }
        }
        readings.add(new Reading(Source.WORKER_FRESHNESS, held, freshness(text, index)));
        return readings;
    }

    private static Reading summary(JsonNode lag, IndexDefinition index) {
        Set<Integer> held = new TreeSet<>();
        OptionalDouble seconds = OptionalDouble.empty();
        for (JsonNode summary : lag.path("indexes")) {
            String name = summary.path("index").asText();
            if (summary.path("table").asText().equals(index.table())
                    && (name.equals(index.name()) || name.equals(index.qualifiedName()))) {
                IntStream.range(0, summary.path("partitions").asInt()).forEach(held::add);
                summary.path("missingPartitions").forEach(missing -> held.remove(missing.asInt()));
                JsonNode freshness = summary.path("freshnessSeconds");
                seconds = freshness.isNumber() ? OptionalDouble.of(freshness.asDouble()) : seconds;
            }
        }
        return new Reading(Source.LAG_API, held, seconds);
    }

    private static OptionalDouble freshness(String text, IndexDefinition index) {
        // Several samples with these labels would be an error; the smallest is the one that could mislead.
        return MetricText.samples(text, FRESHNESS, labels(index)).stream()
                .map(MetricText.Sample::value)
                .flatMapToDouble(OptionalDouble::stream)
                .min();
    }

    private static Map<String, String> labels(IndexDefinition index) {
        return Map.of("table", index.table(), "index", index.name());
    }
}
