package dev.tidemark.deploy.bench.race;

import java.io.IOException;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.stack.Installation;

/** Makes the racers of a course. */
public interface Lineup {
    /** Why the course cannot be run at all on this machine; empty when it can. */
    Optional<String> obstacle();

    /** Tidemark, ready for its first round. */
    Racer tidemark(Ground ground) throws BenchException, IOException, InterruptedException;

    /** The peer, ready for its first round; empty when it is not installed. */
    Optional<Racer> peer(Ground ground) throws BenchException, IOException, InterruptedException;

    /** What would bring the peer, for when it is left out. */
    String remedy(Installation installation);

    /** Gives the lineup of each course. */
    @FunctionalInterface
    interface Maker {
        Lineup of(Course course);
    }

    /** Makes a peer, as {@link #peer} does. */
    @FunctionalInterface
    interface PeerMaker {
        Optional<Racer> peer(Ground ground) throws BenchException, IOException, InterruptedException;
    }
}
