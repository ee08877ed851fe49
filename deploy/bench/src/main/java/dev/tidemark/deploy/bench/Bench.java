package dev.tidemark.deploy.bench;

import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;

import dev.tidemark.deploy.stack.ReadinessProbe;

/**
 * What every benchmark of a run shares.
 *
 * @param probe finds whether a started process serves
 * @param machine this one, before the benchmark began
 * @param parent where temporary directories are made; its disk is the one that is synced
 * @param progress receives each finished step, as one line
 */
public record Bench(
        ReadinessProbe probe,
        BenchSystems systems,
        Clock clock,
        Machine machine,
        Path parent,
        Consumer<String> progress) {}
