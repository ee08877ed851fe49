package dev.tidemark.deploy.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.index.IndexDefinition;

/** What the prober asks beside its queries. */
final class Questions {
    private static final String FRESHNESS = "tidemark_index_freshness_seconds";
    private static final String LAG = "tidemark_index_lag_seconds";

    private Questions() {}

    /** The worker's metrics: freshness of the index and lag of its partitions. */
    record WorkerMetrics(ProbeTarget target, IndexDefinition index) implements ClaimPoller.Question {
        @Override
        public List<Source> sources() {
            return List.of(Source.WORKER_FRESHNESS, Source.WORKER_LAG);
        }

        @Override
        public List<Said> ask() throws NoAnswerException, InterruptedException {
            String text = target.workerMetrics();
            List<Said> said = new ArrayList<>();
            said.add(freshness(Source.WORKER_FRESHNESS, text, index));
            for (MetricText.Sample sample : MetricText.samples(text, LAG, labels(index))) {
                String partition = sample.labels().getOrDefault("partition", "");
                if (partition.matches("\\d{1,6}")) {
                    said.add(new Said(Source.WORKER_LAG, OptionalInt.of(Integer.parseInt(partition)), sample.value()));
                }
            }
            return said;
        }
    }

    /** The writer's metrics: freshness of the index. */
    record WriterMetrics(ProbeTarget target, IndexDefinition index) implements ClaimPoller.Question {
        @Override
        public List<Source> sources() {
            return List.of(Source.WRITER_FRESHNESS);
        }

        @Override
        public List<Said> ask() throws NoAnswerException, InterruptedException {
            return List.of(freshness(Source.WRITER_FRESHNESS, target.writerMetrics(), index));
        }
    }

    /** The worker's lag summary. */
    record LagSummary(ProbeTarget target, IndexDefinition index) implements ClaimPoller.Question {
        @Override
        public List<Source> sources() {
            return List.of(Source.LAG_API);
        }

        @Override
        public List<Said> ask() throws NoAnswerException, InterruptedException {
            OptionalDouble seconds = OptionalDouble.empty();
            for (JsonNode summary : target.lag().path("indexes")) {
                String name = summary.path("index").asText();
                boolean same = summary.path("table").asText().equals(index.table())
                        && (name.equals(index.name()) || name.equals(index.qualifiedName()));
                JsonNode freshness = summary.path("freshnessSeconds");
                if (same && freshness.isNumber()) {
                    seconds = OptionalDouble.of(freshness.asDouble());
                }
            }
            return List.of(Said.ofIndex(Source.LAG_API, seconds));
        }
    }

    private static Said freshness(Source source, String text, IndexDefinition index) {
        // Several samples with these labels would be an error; the smallest is the one that could mislead.
        OptionalDouble least = MetricText.samples(text, FRESHNESS, labels(index)).stream()
                .map(MetricText.Sample::value)
                .flatMapToDouble(OptionalDouble::stream)
                .min();
        return Said.ofIndex(source, least);
    }

    private static Map<String, String> labels(IndexDefinition index) {
        return Map.of("table", index.table(), "index", index.name());
    }
}
