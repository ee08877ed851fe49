package dev.tidemark.deploy.bench.cli;

import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.Suite;

/** For command lines that run no benchmark. */
final class NoScenarios implements Suite.Maker {
    @Override
    public Suite of(Scenario scenario) {
        throw new AssertionError("nobody should ask");
    }
}
