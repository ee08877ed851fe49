package dev.tidemark.deploy.bench.restart;

import java.net.URI;

/** A worker that may or may not answer. */
@FunctionalInterface
public interface QueryProbe {
    /** Whether the worker at that address returns entries of the index now; false as well while no process listens. */
    boolean answers(URI worker) throws InterruptedException;
}
