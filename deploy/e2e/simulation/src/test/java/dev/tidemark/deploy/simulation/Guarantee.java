package dev.tidemark.deploy.simulation;

import java.util.List;

/** Something that must hold; looked at again and again during a run, and at its end. */
interface Guarantee {
    /** What does not hold at the moment, in words. */
    List<String> violations(Watched watched);
}
