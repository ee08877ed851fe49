package dev.tidemark.deploy.bench.scenario;

import java.io.IOException;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.stack.Installation;

/** Makes the racers of a course. */
public interface Suite {
    /** Why the course cannot be run at all on this machine; empty when it can. */
    Optional<String> obstacle();

    /** Tidemark, ready for its first round. */
    Contender tidemark(ScenarioContext context) throws BenchException, IOException, InterruptedException;

    /** The peer, ready for its first round; empty when it is not installed. */
    Optional<Contender> peer(ScenarioContext context) throws BenchException, IOException, InterruptedException;

    /** What would bring the peer, for when it is left out. */
    String remedy(Installation installation);

    /** Gives the lineup of each course. */
    @FunctionalInterface
    interface Maker {
        Suite of(Scenario scenario);
    }

    /** Makes a peer, as {@link #peer} does. */
    @FunctionalInterface
    interface PeerMaker {
        Optional<Contender> peer(ScenarioContext context) throws BenchException, IOException, InterruptedException;
    }
}
