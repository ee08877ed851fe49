package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.tidemark.index.Absence;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * What a shard knows of one row: the newest version seen, and the entries the row has because of it. Outlives the row
 * itself, so that an old event cannot bring a deleted row back.
 *
 * @param version the version that the standing speaks of
 * @param standing whether the row is there
 * @param entries the row's entries by generation of an index; a generation that is not here has not been derived for
 *     this row yet, and none is unless the row is live
 * @param times when that version was committed and applied; empty for a state stored before times were
 */
public record RowState(RowVersion version, Standing standing, Map<Long, Entries> entries, Optional<Times> times) {
    /** Whether a row is there, and which events may change that. */
    public enum Standing {
        /** The row has the entries listed; a newer event replaces them. */
        LIVE,
        /** The row was deleted by this version. */
        DELETED,
        /** This very version could not be applied: a good event of it, or of a newer one, heals the row. */
        POISONED_AT,
        /** Something after this version, whose own version is unreadable, could not be applied: only newer heals. */
        POISONED_PAST
    }

    /**
     * The entries of the row in one generation of an index.
     *
     * @param keys entry keys without the primary key that ends each of them; ascending
     * @param fingerprint of what each of them carries; 0 where that is nothing
     * @param absence why the index leaves the row out; empty where it does not
     * @param refusal why the index cannot hold the row; empty where it can
     */
    public record Entries(List<KeyBytes> keys, long fingerprint, Optional<Absence> absence, Optional<String> refusal) {
        /** The row has no entry. */
        public static final Entries NONE = new Entries(List.of(), 0, Optional.empty(), Optional.empty());

        public Entries {
            keys = List.copyOf(keys);
        }

        /** Entries of a row that the index holds or leaves out. */
        public Entries(List<KeyBytes> keys, long fingerprint, Optional<Absence> absence) {
            this(keys, fingerprint, absence, Optional.empty());
        }

        /** These entries and those of another shard. */
        Entries and(Entries other) {
            if (keys.isEmpty() || other.keys.isEmpty()) {
                return keys.isEmpty() ? other : this;
            }
            List<KeyBytes> all = Stream.concat(keys.stream(), other.keys.stream())
                    .distinct()
                    .sorted()
                    .toList();
            return new Entries(all, fingerprint, Optional.empty());
        }

        /** A row that the index cannot hold. */
        public static Entries refused(String reason) {
            return new Entries(List.of(), 0, Optional.empty(), Optional.of(reason));
        }
    }

    /**
     * When a version of the row came about, by the writer's clock; milliseconds, because there is one for every row.
     *
     * @param committedMillis when the writer committed it, in milliseconds since 1970
     * @param appliedMillis when the shard began the commit that made it visible, as the worker knows that clock;
     *     likewise
     */
    public record Times(long committedMillis, long appliedMillis) {
        /** The same as points in time; what is finer than a millisecond is left out. */
        public static Times of(Instant committed, Instant applied) {
            return new Times(committed.toEpochMilli(), applied.toEpochMilli());
        }

        /** When the writer committed the version. */
        public Instant committedAt() {
            return Instant.ofEpochMilli(committedMillis);
        }

        /** When the shard began to make it visible. */
        public Instant appliedAt() {
            return Instant.ofEpochMilli(appliedMillis);
        }
    }

    public RowState {
        entries = Map.copyOf(entries);
    }

    /** A state without times. */
    public RowState(RowVersion version, Standing standing, Map<Long, Entries> entries) {
        this(version, standing, entries, Optional.empty());
    }

    /** The same with times. */
    public RowState at(Times when) {
        return new RowState(version, standing, entries, Optional.of(when));
    }

    /** The same in no version, so that an event of any version says something new. */
    public RowState inNoVersion() {
        return new RowState(RowVersion.NONE, standing, entries, times);
    }

    /** A row without entries. */
    public static RowState without(RowVersion version, Standing standing) {
        return new RowState(version, standing, Map.of());
    }

    /**
     * What is known of the row by this state and that of another shard: the newer one, unless the other shard has a
     * record in quarantine that may be of that version. Of the same version, a row that is there has the entries of
     * both.
     */
    public RowState together(RowState other) {
        if (hides(other) || other.hides(this)) {
            return hides(other) ? this : other;
        } else if (!version.equals(other.version)) {
            return version.isAfter(other.version) ? this : other;
        } else if (!isLive() || !other.isLive()) {
            return other.isLive() ? other : this;
        }
        Map<Long, Entries> all = new HashMap<>(entries);
        other.entries.forEach((generation, more) -> all.merge(generation, more, Entries::and));
        return new RowState(version, standing, all, times.or(() -> other.times));
    }

    /** Whether a record that is in quarantine here may be of the version of another state. */
    private boolean hides(RowState other) {
        return standing == Standing.POISONED_PAST
                || (standing == Standing.POISONED_AT && version.equals(other.version));
    }

    /** The entries in a generation; empty where it has not been derived for this row. */
    public Optional<Entries> in(long generation) {
        return Optional.ofNullable(entries.get(generation));
    }

    /** Whether there is a row. */
    public boolean isLive() {
        return standing == Standing.LIVE;
    }

    /** Whether a record of the row is in quarantine. */
    public boolean isPoisoned() {
        return standing == Standing.POISONED_AT || standing == Standing.POISONED_PAST;
    }

    /** Whether an event of that version would say something new. */
    public boolean isSurpassedBy(RowVersion other) {
        return other.isAfter(version) || (standing == Standing.POISONED_AT && other.equals(version));
    }
}
