package dev.tidemark.deploy.drill;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a drill has found to be wrong, and how much it has looked at. */
public final class DrillFindings {
    private static final int MOST_KEPT = 200;

    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final List<String> differences = new ArrayList<>();
    private long found;

    /** What is counted. */
    public enum Kind {
        ACKNOWLEDGED("writes acknowledged"),
        FAILED("writes refused, or not sent"),
        UNKNOWN("writes without an answer"),
        ANSWERS("answers held against what rows could be"),
        OWN_WRITES("answers that had to hold the asker's own write"),
        REFUSED("questions refused"),
        UNANSWERED("questions without an answer"),
        ROWS("rows compared with what their clients were told"),
        ENTRIES("index entries compared with their rows"),
        DEFINED("changes of the indexes' definitions");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** Nothing was looked at. */
    public DrillFindings() {
        for (Kind kind : Kind.values()) {
            counts.put(kind, 0L);
        }
    }

    public synchronized void count(Kind kind, long more) {
        counts.merge(kind, more, Long::sum);
    }

    /** How often each so far. */
    public synchronized Map<Kind, Long> counted() {
        return new EnumMap<>(counts);
    }

    /** Adds what is wrong; nothing where the collection is empty. */
    public synchronized void differ(Collection<String> sentences) {
        found += sentences.size();
        sentences.stream().limit(MOST_KEPT - differences.size()).forEach(differences::add);
    }

    /** How much is wrong. */
    public synchronized long found() {
        return found;
    }

    /** The first of what is wrong. */
    public synchronized List<String> differences() {
        return List.copyOf(differences);
    }
}
