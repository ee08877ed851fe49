package dev.tidemark.deploy.probe;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import dev.tidemark.row.RowVersion;

/**
 * What the answer to one query showed. It was true at some moment between question and answer.
 *
 * @param asked when the question was sent
 * @param answered when the answer was there
 * @param visible by partition: the version of the prober's row in the answer; {@link RowVersion#NONE} when it is absent
 * @param staleness seconds, as the answer says; empty for unknown
 * @param completeUpTo as the answer says, by the writer's clock; empty for unknown
 */
public record Sighting(
        Instant asked,
        Instant answered,
        List<RowVersion> visible,
        OptionalDouble staleness,
        Optional<Instant> completeUpTo) {

    public Sighting {
        visible = List.copyOf(visible);
    }
}
