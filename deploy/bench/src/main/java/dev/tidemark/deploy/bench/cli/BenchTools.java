package dev.tidemark.deploy.bench.cli;

import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.apply.BaselineCommands;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.scenario.Suite;

/**
 * What benchmarks measure, and the baselines they compare with.
 *
 * @param suites makes the contenders of a scenario
 * @param searchPath directories of installed programs, as in {@code PATH}
 */
record BenchTools(
        MeasuredSystems systems,
        Builders builders,
        BaselineCommands baselines,
        Suite.Maker suites,
        String searchPath) {}
