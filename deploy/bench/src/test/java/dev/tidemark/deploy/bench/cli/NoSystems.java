package dev.tidemark.deploy.bench.cli;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.IndexBuilder;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.bench.MeasuredSystem;
import dev.tidemark.deploy.bench.TidemarkTable;
import dev.tidemark.deploy.bench.TidemarkTarget;

/** For command lines that run no benchmark. */
final class NoSystems implements BenchSystems {
    private static final String UNUSED = "expected no benchmark to run";

    @Override
    public TidemarkTarget tidemark(URI writer, URI worker) {
        throw new AssertionError(UNUSED);
    }

    @Override
    public TidemarkTable table(URI writer, URI worker, Clock clock) {
        throw new AssertionError(UNUSED);
    }

    @Override
    public Optional<IndexBuilder> postgres(Path parent, Clock clock) {
        throw new AssertionError(UNUSED);
    }

    @Override
    public MeasuredSystem bareLoop(Baseline baseline, BenchStack stack, Latencies like, Clock clock)
            throws BenchException {
        throw new BenchException(UNUSED);
    }
}
