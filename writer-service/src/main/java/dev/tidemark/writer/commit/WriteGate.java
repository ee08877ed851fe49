package dev.tidemark.writer.commit;

import java.util.Optional;

/** Decides whether writes are taken at the moment, by what happens behind the fact table. */
@FunctionalInterface
public interface WriteGate {
    /** Why no write to a table is taken now; empty when writes are welcome. Called by any thread, returns quickly. */
    Optional<String> refusal(String table);
}
