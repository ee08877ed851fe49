package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.util.Map;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;

/** A contender that begins with nothing each time, timed from the start of the process. */
final class JoinContender implements Contender {
    private final String name;
    private final long changes;
    private final Join join;

    /** One round. */
    @FunctionalInterface
    interface Join {
        TopicIndexer.Followed follow() throws BenchException, IOException, InterruptedException;
    }

    JoinContender(String name, long changes, Join join) {
        this.name = name;
        this.changes = changes;
        this.join = join;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        return Map.of(Figure.JOIN, changes * 1e9 / join.follow().sinceStart().toNanos());
    }

    @Override
    public void close() {
        // Its process ends with each round.
    }
}
