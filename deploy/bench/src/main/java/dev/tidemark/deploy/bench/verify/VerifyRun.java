package dev.tidemark.deploy.bench.verify;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/** Starts a separate stack, fills it, compares table and index again and again, and deletes its data. */
public final class VerifyRun {
    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    private final ReadinessProbe probe;
    private final TableVerifier.Maker maker;
    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public VerifyRun(ReadinessProbe probe, TableVerifier.Maker maker, Clock clock, Consumer<String> progress) {
        this.probe = probe;
        this.maker = maker;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Runs it all; in each round both modes once.
     *
     * @param parent where to make the temporary directory
     */
    public VerifyBenchReport run(int rows, int rounds, Path parent)
            throws BenchException, StackException, IOException, InterruptedException {
        Machine machine = Machine.here(clock);
        Installation installation = Installation.locate().requireBuilt();
        try (ScratchDirectory scratch = ScratchDirectory.below(parent)) {
            StackSettings settings =
                    StackSettings.of(scratch.path(), installation.home().resolve(CATALOG), StackPorts.free());
            try (LocalStack stack = LocalStack.startDisposable(installation, settings, probe)) {
                TableVerifier table = maker.make(stack.writerUrl(), stack.workerUrl(), clock);
                table.load(IntStream.range(0, rows).mapToObj(CustomerRow::ofRow));
                progress.accept(String.format(Locale.ROOT, "%,d rows are in the index", rows));
                return new VerifyBenchReport(machine, rows, rounds, rounds(table, rounds));
            }
        }
    }

    private Map<String, RoundSpread> rounds(TableVerifier table, int rounds)
            throws BenchException, InterruptedException {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (TableVerifier.Mode mode : TableVerifier.Mode.values()) {
                TableVerifier.Compared done = table.verify(mode);
                double seconds = done.time().toNanos() / 1e9;
                String kind = mode.name().toLowerCase(Locale.ROOT) + ", by " + done.basis();
                rates.computeIfAbsent(kind, other -> new ArrayList<>()).add(done.rows() / seconds);
                progress.accept(String.format(
                        Locale.ROOT,
                        "round %d of %d: %s %,d rows in %.2f s",
                        round,
                        rounds,
                        kind,
                        done.rows(),
                        seconds));
            }
        }
        Map<String, RoundSpread> spreads = new LinkedHashMap<>();
        rates.forEach((kind, all) -> spreads.put(kind, RoundSpread.of(all)));
        return spreads;
    }
}
