package dev.tidemark.deploy.bench.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.Report;

/**
 * The results of a worker whose table grows.
 *
 * @param rounds at each size
 * @param stages the table's sizes, smallest first; at least one
 * @param soak memory while time went by; empty where none was to
 */
record GrowthReport(Machine machine, int rounds, List<Stage> stages, Optional<Soak> soak) {
    private static final List<String> HEADER = List.of(
            "rows", "changes/s while it catches up", "answers/s", "p99 of an answer", "memory of the worker, at most");

    GrowthReport {
        stages = List.copyOf(stages);
    }

    /**
     * Medians at one size, with the names that JSON has.
     *
     * @param appliedPerSecond changes a second until the worker had caught up
     * @param p99Millis 99th percentile of the time to an answer
     * @param memoryBytes of the worker, at most
     */
    record Stage(int rows, double appliedPerSecond, double answersPerSecond, double p99Millis, long memoryBytes) {}

    /** A row of cells for each size. */
    List<List<String>> rows() {
        return stages.stream()
                .map(stage -> List.of(
                        Numbers.whole(stage.rows()),
                        Numbers.whole(stage.appliedPerSecond()),
                        Numbers.whole(stage.answersPerSecond()),
                        Numbers.hundredths(stage.p99Millis()) + " ms",
                        Soak.megabytes(stage.memoryBytes())))
                .toList();
    }

    /** The last size beside the first, a line for each measure. */
    List<String> trends() {
        Stage first = stages.get(0);
        Stage last = stages.get(stages.size() - 1);
        List<String> lines = new ArrayList<>();
        lines.add("catching up: " + Numbers.hundredths(last.appliedPerSecond() / first.appliedPerSecond())
                + " of the first rate");
        lines.add("99th percentile of an answer: " + Numbers.hundredths(last.p99Millis() / first.p99Millis())
                + " times the first");
        lines.add("memory of the worker: at most "
                + Soak.megabytes(
                        stages.stream().mapToLong(Stage::memoryBytes).max().orElse(0)));
        soak.ifPresent(flat -> lines.add(flat.line()));
        return lines;
    }

    Report report() {
        ObjectNode json = Report.members("growth", machine);
        json.set("stages", Report.tree(stages));
        soak.ifPresent(flat -> json.putObject("soak")
                .put("seconds", flat.time().toSeconds())
                .put("earlyBytes", flat.early())
                .put("lateBytes", flat.late())
                .put("mostBytes", flat.most()));
        return new Report(
                machine.heading(stages.get(stages.size() - 1).rows(), rounds),
                List.of(new Report.Table("", HEADER, rows()), new Report.Notes(trends())),
                json);
    }
}
