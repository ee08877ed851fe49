package dev.tidemark.deploy.bench.apply;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

import com.fasterxml.jackson.databind.node.ObjectNode;

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

    /** The same for programs; what is not known is left out. */
    void into(ObjectNode json) {
        median(space).ifPresent(median -> json.put("spaceAmplification", median));
        median(writes).ifPresent(median -> json.put("writeAmplification", median));
    }

    private static String text(Collection<Double> rounds) {
        if (rounds.isEmpty()) {
            return "not told by this system";
        }
        RoundSpread spread = RoundSpread.of(rounds);
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", spread.median(), spread.min(), spread.max());
    }

    private static OptionalDouble median(Collection<Double> rounds) {
        return rounds.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(RoundSpread.of(rounds).median());
    }
}
