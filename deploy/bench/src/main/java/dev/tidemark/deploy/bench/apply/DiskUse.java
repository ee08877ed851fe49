package dev.tidemark.deploy.bench.apply;

import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * What the worker's disk holds and took when it has caught up, a number a round.
 *
 * @param space bytes on disk for each byte of live entries
 * @param writes bytes written for each byte of the rows that were applied; empty where the system does not report them
 */
record DiskUse(List<Double> space, List<Double> writes) {
    DiskUse {
        space = List.copyOf(space);
        writes = List.copyOf(writes);
    }

    /** For people, a line each. */
    List<String> lines() {
        return List.of(
                "bytes on disk for each byte of live entries: " + text(space),
                "bytes written for each byte of rows applied: " + text(writes));
    }

    /** Medians for programs; a number that is not known is left out. */
    void into(ObjectNode json) {
        if (!space.isEmpty()) {
            json.put("spaceAmplification", RoundSpread.of(space).median());
        }
        if (!writes.isEmpty()) {
            json.put("writeAmplification", RoundSpread.of(writes).median());
        }
    }

    private static String text(List<Double> rounds) {
        return rounds.isEmpty()
                ? "not reported by this system"
                : RoundSpread.of(rounds).text(Numbers::hundredths, "");
    }
}
