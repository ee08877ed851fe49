package dev.tidemark.deploy.bench.growth;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.wrk.WrkOutput;

/** Lets a table grow, and measures at each size; then, where that is wanted, goes on for a time at the last one. */
final class GrowthRun {
    /** Changes of one step of a soak, and the time of the queries after them. */
    private static final int STEP_CHANGES = 20_000;

    private static final Duration STEP_TIME = Duration.ofSeconds(5);

    private final GrowthSize size;
    private final GrowingStack stack;
    private final Machine machine;
    private final Clock clock;
    private final Consumer<String> progress;
    private long changes;

    GrowthRun(GrowthSize size, GrowingStack stack, Machine machine, Clock clock, Consumer<String> progress) {
        this.size = size;
        this.stack = stack;
        this.machine = machine;
        this.clock = clock;
        this.progress = progress;
    }

    GrowthReport run() throws BenchException, IOException, InterruptedException {
        List<GrowthReport.Stage> stages = new ArrayList<>();
        int there = 0;
        for (int rows : size.rows()) {
            stack.write(IntStream.range(there, rows).mapToObj(CustomerRow::ofRow));
            there = rows;
            progress.accept(String.format(Locale.ROOT, "%,d rows are there", rows));
            stages.add(stage(rows));
        }
        Optional<Soak> soak = size.soak().isZero() ? Optional.empty() : Optional.of(soak(there));
        return new GrowthReport(machine, size.rounds(), stages, soak);
    }

    private GrowthReport.Stage stage(int rows) throws BenchException, IOException, InterruptedException {
        List<Double> applied = new ArrayList<>();
        List<WrkOutput> answers = new ArrayList<>();
        long most = stack.residentBytes();
        for (int round = 1; round <= size.rounds(); round++) {
            applied.add(stack.follow(changes(rows, size.changes()), size.changes()));
            most = Math.max(most, stack.residentBytes());
            // The new process has to get warm, and its caches too.
            stack.query(size.time());
            answers.add(stack.query(size.time()));
            most = Math.max(most, stack.residentBytes());
            progress.accept(String.format(
                    Locale.ROOT,
                    "%,d rows, round %d of %d: %,.0f changes/s, %,.0f answers/s, p99 %.2f ms, %s",
                    rows,
                    round,
                    size.rounds(),
                    applied.get(round - 1),
                    answers.get(round - 1).perSecond(),
                    answers.get(round - 1).p99Millis(),
                    Soak.megabytes(most)));
        }
        return new GrowthReport.Stage(
                rows,
                RoundSpread.of(applied).median(),
                RoundSpread.of(answers, WrkOutput::perSecond).median(),
                RoundSpread.of(answers, WrkOutput::p99Millis).median(),
                most);
    }

    private Soak soak(int rows) throws BenchException, IOException, InterruptedException {
        Instant end = clock.instant().plus(size.soak());
        List<Long> bytes = new ArrayList<>();
        while (clock.instant().isBefore(end) || bytes.size() < 3) {
            stack.write(changes(rows, STEP_CHANGES));
            stack.query(STEP_TIME);
            bytes.add(stack.residentBytes());
        }
        return new Soak(size.soak(), bytes);
    }

    private Stream<CustomerRow> changes(int rows, int count) {
        long from = changes;
        changes += count;
        return LongStream.range(from, changes).mapToObj(number -> CustomerRow.ofChange(number, rows));
    }
}
