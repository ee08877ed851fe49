package dev.tidemark.api;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where an index is in its life.
 *
 * @param index its name, with the table where several tables have one of that name
 * @param life the current generation
 * @param entries how many it holds
 * @param refused rows that it cannot hold
 * @param previous the generation before, while it is kept
 */
public record IndexLifecycle(
        String index,
        String table,
        Life life,
        long entries,
        @Nullable Digest digest,
        Progress progress,
        long refused,
        @Nullable Previous previous) {
    /** All indexes. */
    public record All(List<IndexLifecycle> indexes) {}

    /**
     * The current generation.
     *
     * @param generation its number
     * @param state building, verifying, ready, paused, degraded, rebuilding, dropping or unknown
     * @param since when that began, RFC 3339; empty when unknown
     * @param cause why; empty when unknown
     * @param serves whether queries read it
     */
    public record Life(long generation, String state, String since, String cause, boolean serves) {}

    /**
     * The comparison by digests.
     *
     * @param equal whether the index equals its table; null while that is not known
     */
    public record Digest(@Nullable Boolean equal) {}

    /**
     * How far building is.
     *
     * @param rowsDone rows that are in
     * @param rowsTotal rows of the table; 0 when there is nothing to build, or nothing is known
     * @param rowsPerSecond speed
     * @param etaSeconds time to go
     */
    public record Progress(
            long rowsDone,
            long rowsTotal,
            @Nullable Double rowsPerSecond,
            @Nullable Double etaSeconds) {}

    /**
     * The generation before the current one.
     *
     * @param serves whether it can answer; queries read it while the current one does not serve
     * @param rollbackUntil when it goes, RFC 3339; empty while that is not known
     */
    public record Previous(long generation, boolean serves, String rollbackUntil) {}

    /** What an answer leaves out is not known. */
    public IndexLifecycle {
        life = life == null ? new Life(0, "unknown", "", "", false) : life;
        progress = progress == null ? new Progress(0, 0, null, null) : progress;
    }

    public String state() {
        return life.state();
    }

    public boolean isReady() {
        return state().equals("ready");
    }

    /** The number of the generation that answers, or will where none does yet. */
    public long answering() {
        return !life.serves() && previous != null && previous.serves() ? previous.generation() : life.generation();
    }

    /** Whether this is an index by its bare name and table, in a generation or a later one. */
    public boolean is(String ofTable, String name, long leastGeneration) {
        return qualifiedName().equals(ofTable + "." + name) && life.generation() >= leastGeneration;
    }

    /** The name that is unique among all tables. */
    public String qualifiedName() {
        return index.startsWith(table + ".") ? index : table + "." + index;
    }
}
