package dev.tidemark.deploy.cli;

import dev.tidemark.deploy.bench.race.Course;
import dev.tidemark.deploy.bench.race.Lineup;

/** For command lines that run no benchmark. */
final class NoRaces implements Lineup.Maker {
    @Override
    public Lineup of(Course course) {
        throw new AssertionError("nobody should ask");
    }
}
