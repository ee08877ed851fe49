package dev.tidemark.deploy.bench.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.MarkdownTable;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * The results of a worker whose table grows.
 *
 * @param stages the table's sizes, smallest first; at least one
 * @param soak memory while time went by; empty where none was to
 */
public record GrowthReport(Machine machine, List<Stage> stages, Optional<Soak> soak) {
    private static final List<String> HEADER = List.of(
            "rows", "changes/s while it catches up", "answers/s", "p99 of an answer", "memory of the worker, at most");

    public GrowthReport {
        stages = List.copyOf(stages);
    }

    /**
     * At one size.
     *
     * @param applied changes a second, a number a round
     * @param answers how queries were answered, a number a round
     * @param memory bytes, at most
     */
    public record Stage(int rows, List<Double> applied, List<GrowingStack.Answers> answers, long memory) {
        public Stage {
            applied = List.copyOf(applied);
            answers = List.copyOf(answers);
        }

        double rate() {
            return RoundSpread.of(applied).median();
        }

        double answered() {
            return RoundSpread.of(answers.stream()
                            .map(GrowingStack.Answers::perSecond)
                            .toList())
                    .median();
        }

        double p99() {
            return RoundSpread.of(answers.stream()
                            .map(GrowingStack.Answers::p99Millis)
                            .toList())
                    .median();
        }
    }

    /** The titles of {@link #rows}. */
    public static List<String> header() {
        return HEADER;
    }

    /** A row of cells for each size. */
    public List<List<String>> rows() {
        return stages.stream()
                .map(stage -> List.of(
                        String.format(Locale.ROOT, "%,d", stage.rows()),
                        String.format(Locale.ROOT, "%,.0f", stage.rate()),
                        String.format(Locale.ROOT, "%,.0f", stage.answered()),
                        String.format(Locale.ROOT, "%.2f ms", stage.p99()),
                        Soak.megabytes(stage.memory())))
                .toList();
    }

    /** The last size beside the first, a line for each measure. */
    public List<String> trends() {
        Stage first = stages.get(0);
        Stage last = stages.get(stages.size() - 1);
        double rate = last.rate() / first.rate();
        double late = last.p99() / first.p99();
        long memory = stages.stream().mapToLong(Stage::memory).max().orElse(0);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "catching up: %.2f of the first rate", rate));
        lines.add(String.format(Locale.ROOT, "99th percentile of an answer: %.2f times the first", late));
        lines.add("memory of the worker: at most " + Soak.megabytes(memory));
        soak.ifPresent(flat -> lines.add(flat.line()));
        return lines;
    }

    /** Where and how it was run. */
    public String heading() {
        Stage last = stages.get(stages.size() - 1);
        return machine.heading(last.rows(), last.applied().size());
    }

    /** As a section of a Markdown file. */
    public List<String> markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("Run at " + heading() + ".");
        lines.add("");
        lines.addAll(MarkdownTable.of(HEADER, rows()));
        lines.add("");
        trends().forEach(trend -> lines.add("- " + trend));
        return lines;
    }

    /** The same for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", "growth").put("at", machine.at().toString());
        for (Stage stage : stages) {
            json.withArray("stages")
                    .addObject()
                    .put("rows", stage.rows())
                    .put("appliedPerSecond", stage.rate())
                    .put("answersPerSecond", stage.answered())
                    .put("p99Millis", stage.p99())
                    .put("memoryBytes", stage.memory());
        }
        soak.ifPresent(flat -> json.putObject("soak")
                .put("seconds", flat.time().toSeconds())
                .put("earlyBytes", flat.early())
                .put("lateBytes", flat.late())
                .put("mostBytes", flat.most()));
        return json;
    }
}
