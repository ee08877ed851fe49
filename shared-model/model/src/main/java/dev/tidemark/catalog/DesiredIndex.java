package dev.tidemark.catalog;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is wanted of one index. Shards hold and follow every generation that is here, and no other.
 *
 * @param current the definition that is in force
 * @param previous the one before, which serves until the current one is ready and to which a rollback returns; absent
 *     for an index that was never changed, after it was retired, and after the rollback of a build that was paused
 * @param paused whether building the current generation is to rest; live changes are applied all the same
 */
public record DesiredIndex(Generation current, Optional<Generation> previous, boolean paused) {

    public DesiredIndex {
        previous.ifPresent(old -> {
            if (old.id() == current.id()
                    || !old.definition()
                            .qualifiedName()
                            .equals(current.definition().qualifiedName())) {
                throw new IllegalArgumentException("Expected two generations of one index, but got " + old.id() + " of "
                        + old.definition().qualifiedName() + " before " + current.id() + " of "
                        + current.definition().qualifiedName());
            }
        });
    }

    /** An index that was not there before. */
    static DesiredIndex of(Generation current) {
        return new DesiredIndex(current, Optional.empty(), false);
    }

    public String name() {
        return current.definition().name();
    }

    /** The current generation, and after it the previous one where there is one. */
    public List<Generation> generations() {
        return Stream.concat(Stream.of(current), previous.stream()).toList();
    }

    /** The same with those generations only that a table holds, as they are there; empty where it holds none. */
    Optional<DesiredIndex> only(Predicate<Generation> isHeld, String table) {
        List<Generation> held = generations().stream()
                .filter(isHeld)
                .map(generation -> generation.of(table))
                .toList();
        return held.stream()
                .findFirst()
                .map(first -> new DesiredIndex(
                        first, held.stream().skip(1).findFirst(), paused && first.id() == current.id()));
    }

    /**
     * This index under another definition. Of the two generations there may be, the older one becomes the previous one,
     * because it is the one that is sure to be complete: the newer one was changed, or rolled back, before the older
     * one was retired.
     */
    DesiredIndex changedTo(Generation next) {
        Generation complete = previous.filter(old -> old.id() < current.id()).orElse(current);
        return new DesiredIndex(next, Optional.of(complete), false);
    }

    /**
     * The previous generation in force again; the same when there is none. The current one is kept, but not while its
     * build is to rest: as a previous one it would be built on, and no order could stop that.
     */
    DesiredIndex rolledBack() {
        Optional<Generation> left = paused ? Optional.empty() : Optional.of(current);
        return previous.map(old -> new DesiredIndex(old, left, false)).orElse(this);
    }

    DesiredIndex withPaused(boolean rests) {
        return new DesiredIndex(current, previous, rests);
    }

    DesiredIndex retired() {
        return new DesiredIndex(current, Optional.empty(), paused);
    }
}
