package dev.tidemark.writer.commit;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowVersion;

/** What must be true of a row, at the moment of the commit, for a write to happen. */
public sealed interface Precondition {
    /** Always holds. */
    Precondition NONE = Presence.ANY;

    /** Whether the condition holds for a row; null for a row that is not there. */
    boolean holdsFor(@Nullable StoredRow current);

    /** What was asked for, for the answer when it does not hold. */
    String expected();

    /** Conditions on whether there is a row. */
    enum Presence implements Precondition {
        /** No condition. */
        ANY("anything"),
        /** The row is there, in any version. */
        PRESENT("a row"),
        /** The row is not there. */
        ABSENT("no row");

        private final String expected;

        Presence(String expected) {
            this.expected = expected;
        }

        @Override
        public boolean holdsFor(@Nullable StoredRow current) {
            return this == ANY || (this == PRESENT) == (current != null);
        }

        @Override
        public String expected() {
            return expected;
        }
    }

    /**
     * The row is there and has one of some versions.
     *
     * @param versions the acceptable ones; none where the client named only texts that no version has
     */
    record IfVersion(Set<RowVersion> versions) implements Precondition {
        public IfVersion {
            versions = Set.copyOf(versions);
        }

        @Override
        public boolean holdsFor(@Nullable StoredRow current) {
            return current != null && versions.contains(current.version());
        }

        @Override
        public String expected() {
            return "a row of the version in If-Match";
        }
    }

    /**
     * The row is older than a version, or not there.
     *
     * @param version the first version that is too new
     */
    record IfBefore(RowVersion version) implements Precondition {
        @Override
        public boolean holdsFor(@Nullable StoredRow current) {
            return current == null || version.isAfter(current.version());
        }

        @Override
        public String expected() {
            return "a row before version " + version;
        }
    }
}
