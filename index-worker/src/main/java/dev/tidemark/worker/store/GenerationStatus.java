package dev.tidemark.worker.store;

import java.time.Instant;
import java.util.Optional;

/**
 * What a shard knows of one generation of an index, stored together with the entries it speaks of.
 *
 * @param id number of the generation
 * @param definition of the index, as text; another text under the same number means that the entries are of another
 *     index
 * @param phase where it is in its life
 * @param servedSince since when it may answer questions, but for the times at which its shard is built again; empty
 *     when it never could. Once it could, a proof that fails later takes nothing away but its good name
 * @param tally what it holds
 */
public record GenerationStatus(
        long id, String definition, GenerationState phase, Optional<Instant> servedSince, GenerationStats tally) {

    /** A generation that holds nothing yet. */
    public static GenerationStatus begun(long id, String definition, GenerationState phase) {
        return new GenerationStatus(id, definition, phase, Optional.empty(), GenerationStats.NONE).in(phase);
    }

    /** A generation that has been proven in this shard, whose entries are lost and come again with the whole shard. */
    public GenerationStatus lost(Instant at, String cause) {
        return new GenerationStatus(
                id, definition, new GenerationState.Rebuilding(at, cause), servedSince, GenerationStats.NONE);
    }

    /** Whether it may answer questions: it was proven at some time, and has all rows. */
    public boolean serves() {
        return servedSince.isPresent()
                && !(phase instanceof GenerationState.Dropping || phase instanceof GenerationState.Rebuilding);
    }

    /** Whether it cannot answer because its shard is built again, or was and has not been proven since. */
    public boolean isRestoring() {
        return phase instanceof GenerationState.Rebuilding
                || (phase instanceof GenerationState.Verifying verifying
                        && verifying.rebuilt()
                        && servedSince.isEmpty());
    }

    /** The same in another phase. */
    public GenerationStatus in(GenerationState next) {
        boolean proven = next instanceof GenerationState.Ready;
        Optional<Instant> since = servedSince.isPresent() || !proven ? servedSince : Optional.of(next.since());
        return new GenerationStatus(id, definition, next, since, tally);
    }

    /** The same with other figures. */
    public GenerationStatus with(GenerationStats next) {
        return new GenerationStatus(id, definition, phase, servedSince, next);
    }
}
