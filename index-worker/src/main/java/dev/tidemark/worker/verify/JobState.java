package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;

/** How far a job is. */
public sealed interface JobState {
    /** Others are before it. */
    record Waiting() implements JobState {}

    /**
     * It is being done.
     *
     * @param rows rows of the table looked at so far
     * @param total rows that there are, about
     */
    record Running(long rows, long total) implements JobState {}

    /**
     * The job is done.
     *
     * @param found result of the first comparison
     * @param repaired number of repaired rows; 0 without a request for repair
     * @param after result of the comparison after the repair; empty where nothing was repaired
     */
    record Done(VerifyReport found, long repaired, Optional<VerifyReport> after) implements JobState {
        /** Returns the latest result. */
        public VerifyReport latest() {
            return after.orElse(found);
        }

        /** The same, where other generations cannot be compared. */
        Done beside(List<VerifyReport.OfGeneration> lacking) {
            return new Done(found.beside(lacking), repaired, after.map(report -> report.beside(lacking)));
        }

        /** What came out for other shards of the table as well. */
        Done and(Done other) {
            boolean again = after.isPresent() || other.after.isPresent();
            return new Done(
                    found.and(other.found),
                    repaired + other.repaired,
                    again ? Optional.of(latest().and(other.latest())) : Optional.empty());
        }
    }

    /**
     * It could not be done.
     *
     * @param why in a few words for people
     */
    record Failed(String why) implements JobState {}

    /** Bytes of what was found. */
    default long bytes() {
        return this instanceof Done done
                ? done.found().bytes() + done.after().map(VerifyReport::bytes).orElse(0L)
                : 0;
    }

    /** Whether nothing more will come of it. */
    default boolean isOver() {
        return this instanceof Done || this instanceof Failed;
    }
}
