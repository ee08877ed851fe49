package dev.tidemark.deploy.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.index.IndexDefinition;

/** What the prober asks beside its queries. */
final class ProbeQueries {
    private static final String FRESHNESS = "tidemark_index_freshness_seconds";
    private static final String LAG = "tidemark_index_lag_seconds";

    private ProbeQueries() {}

    /** The worker's metrics: freshness of the index and lag of its partitions. */
    record WorkerMetrics(WorkerTarget worker, IndexDefinition index) implements StalenessPoller.Question {
        @Override
        public List<Source> sources() {
            return List.of(Source.WORKER_FRESHNESS, Source.WORKER_LAG);
        }

        @Override
        public List<StalenessReading> ask() throws NoAnswerException, InterruptedException {
            String text = worker.metrics();
            List<StalenessReading> said = new ArrayList<>();
            Set<Integer> held = new TreeSet<>();
            for (MetricText.Sample sample : MetricText.samples(text, LAG, labels(index))) {
                String partition = sample.labels().getOrDefault("partition", "");
                if (partition.matches("\\d{1,6}")) {
                    held.add(Integer.parseInt(partition));
                    said.add(new StalenessReading(
                            Source.WORKER_LAG, Set.of(Integer.parseInt(partition)), sample.value()));
                }
            }
            said.add(new StalenessReading(Source.WORKER_FRESHNESS, held, freshness(text, index)));
            return said;
        }
    }

    /** The writer's metrics: freshness of the index. */
    record WriterMetrics(ProbeTarget target, IndexDefinition index) implements StalenessPoller.Question {
        @Override
        public List<Source> sources() {
            return List.of(Source.WRITER_FRESHNESS);
        }

        @Override
        public List<StalenessReading> ask() throws NoAnswerException, InterruptedException {
            return List.of(
                    new StalenessReading(Source.WRITER_FRESHNESS, Set.of(), freshness(target.writerMetrics(), index)));
        }
    }

    /** The worker's lag summary. */
    record LagSummary(WorkerTarget worker, IndexDefinition index) implements StalenessPoller.Question {
        @Override
        public List<Source> sources() {
            return List.of(Source.LAG_API);
        }

        @Override
        public List<StalenessReading> ask() throws NoAnswerException, InterruptedException {
            JsonNode lag = worker.lag();
            OptionalDouble seconds = OptionalDouble.empty();
            for (JsonNode summary : lag.path("indexes")) {
                String name = summary.path("index").asText();
                boolean same = summary.path("table").asText().equals(index.table())
                        && (name.equals(index.name()) || name.equals(index.qualifiedName()));
                JsonNode freshness = summary.path("freshnessSeconds");
                if (same && freshness.isNumber()) {
                    seconds = OptionalDouble.of(freshness.asDouble());
                }
            }
            return List.of(new StalenessReading(Source.LAG_API, held(lag), seconds));
        }

        private Set<Integer> held(JsonNode lag) {
            Set<Integer> held = new TreeSet<>();
            for (JsonNode table : lag.path("tables")) {
                if (table.path("table").asText().equals(index.table())) {
                    table.path("partitions")
                            .forEach(one -> held.add(one.path("partition").asInt()));
                }
            }
            return held;
        }
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
