package dev.tidemark.deploy.simulation;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** In how many runs each place was met; runs beside each other add to it. */
final class Coverage {
    private final Map<CoveragePoint, Integer> runs = new EnumMap<>(CoveragePoint.class);

    /** One run met these. */
    synchronized void add(Set<CoveragePoint> met) {
        met.forEach(place -> runs.merge(place, 1, Integer::sum));
    }

    /** Places that no run met and that are there to be met: those of two writers, or those of one. */
    Set<CoveragePoint> missing(boolean ofTwoWriters) {
        Set<CoveragePoint> missing = ofTwoWriters
                ? EnumSet.copyOf(CoveragePoint.OF_TWO_WRITERS)
                : EnumSet.complementOf(EnumSet.copyOf(CoveragePoint.OF_TWO_WRITERS));
        missing.removeAll(runs.keySet());
        missing.remove(CoveragePoint.BETWEEN_TWO_COMMITS);
        return missing;
    }

    /** A line for each place, with the number of runs that met it. */
    String table() {
        StringBuilder table = new StringBuilder();
        for (CoveragePoint place : CoveragePoint.values()) {
            table.append(String.format("%-44s %9d%n", place, runs.getOrDefault(place, 0)));
        }
        return table.toString();
    }
}
