package dev.tidemark.writer.commit;

import java.util.Optional;
import java.util.Set;

/** Decides whether writes are taken at the moment, by what happens behind the fact table. */
@FunctionalInterface
public interface WriteGate {
    /** Why no write to a table is taken now; empty when writes are welcome. Called by any thread, returns quickly. */
    Optional<String> refusal(String table);

    /** Why no write to one of some tables is taken now; empty when writes to all of them are welcome. */
    default Optional<String> refusal(Set<String> tables) {
        return tables.stream().flatMap(table -> refusal(table).stream()).findFirst();
    }

    /**
     * Why nothing is committed now that was let in before, and no commit is acknowledged; empty when both are right.
     * Asked before and after each commit.
     */
    default Optional<String> halt() {
        return Optional.empty();
    }
}
