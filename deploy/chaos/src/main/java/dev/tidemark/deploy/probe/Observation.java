package dev.tidemark.deploy.probe;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

import dev.tidemark.row.RowVersion;

/**
 * What the answer of one worker to one query showed. It was true at some moment between question and answer.
 *
 * @param worker which worker, counted from 0
 * @param asked when the question was sent
 * @param answered when the answer was there
 * @param visible by partition: the version of the prober's row in the answer; {@link RowVersion#NONE} when it is absent
 * @param missing the partitions that the answer reports as missing; it shows nothing of them
 * @param staleness seconds, as the answer says; empty for unknown
 * @param completeUpTo as the answer says, by the writer's clock; empty for unknown
 */
public record Observation(
        int worker,
        Instant asked,
        Instant answered,
        List<RowVersion> visible,
        Set<Integer> missing,
        OptionalDouble staleness,
        Optional<Instant> completeUpTo) {

    public Observation {
        visible = List.copyOf(visible);
        missing = Set.copyOf(missing);
    }

    /** Returns the partitions that the answer covers. */
    List<Integer> shown() {
        return IntStream.range(0, visible.size())
                .boxed()
                .filter(partition -> !missing.contains(partition))
                .toList();
    }
}
