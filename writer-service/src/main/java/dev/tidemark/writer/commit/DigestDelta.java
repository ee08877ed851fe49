package dev.tidemark.writer.commit;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.tidemark.digest.Digest;

/** What changes add to digests and take away, as far as that can be known. For one thread. */
final class DigestDelta {
    private final Map<DigestKey, Digest> moved = new HashMap<>();
    private final Set<Long> unknown = new HashSet<>();

    void add(DigestKey key, Digest digest) {
        moved.merge(key, digest, Digest::plus);
    }

    /** What these generations lose cannot be known. */
    void lose(Collection<Long> generations) {
        unknown.addAll(generations);
    }

    void addAll(DigestDelta other) {
        other.moved.forEach(this::add);
        unknown.addAll(other.unknown);
    }

    /** What is added to each digest that stays known. */
    Map<DigestKey, Digest> moved() {
        Map<DigestKey, Digest> known = new HashMap<>(moved);
        known.keySet().removeIf(key -> unknown.contains(key.generation()));
        return known;
    }

    /** Generations whose digests are not known any more. */
    Set<Long> unknown() {
        return Collections.unmodifiableSet(unknown);
    }
}
