package dev.tidemark.deploy.bench.cli;

import dev.tidemark.deploy.bench.Baseline;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.BenchSystems;
import dev.tidemark.deploy.bench.Latencies;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;

/** For command lines that run no benchmark. */
final class NoSystems implements BenchSystems {
    private static final String UNUSED = "expected no benchmark to run";

    @Override
    public ServiceCallers callers() {
        throw new AssertionError(UNUSED);
    }

    @Override
    public ParallelRequests requests() {
        throw new AssertionError(UNUSED);
    }

    @Override
    public MeasuredSystem bareLoop(Baseline baseline, BenchStack stack, Latencies like) {
        throw new AssertionError(UNUSED);
    }
}
