package dev.tidemark.deploy.bench.scenario;

import java.nio.file.Path;
import java.time.Clock;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;

/**
 * Where a race is run.
 *
 * @param stack running; Tidemark's
 * @param scratch a directory that is gone afterwards, on the disk that is synced
 */
public record ScenarioContext(
        Installation installation, LocalStack stack, Path scratch, ScenarioSize size, Clock clock) {}
