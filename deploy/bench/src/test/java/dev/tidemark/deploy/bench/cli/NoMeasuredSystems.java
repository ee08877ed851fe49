package dev.tidemark.deploy.bench.cli;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;

import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.bench.MeasuredSystem;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.deploy.stack.Installation;

/** For command lines that run no benchmark. */
final class NoMeasuredSystems implements MeasuredSystems {
    @Override
    public TidemarkTarget tidemark(URI writer, URI worker) {
        throw new AssertionError("nobody should ask");
    }

    @Override
    public MeasuredSystem bareLoop(
            Baseline peer, Installation installation, String brokers, Path log, Latencies like, Clock clock)
            throws BenchException {
        throw new BenchException("nobody should ask");
    }
}
