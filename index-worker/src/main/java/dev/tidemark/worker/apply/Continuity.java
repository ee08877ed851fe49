package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.tidemark.change.ExpectedPosition;

/**
 * Whether records of a partition prove that everything before them in commit order is before them in the partition too.
 *
 * <p>A record that is where its writer expected it is no proof by that alone: a stranger's record, or a late one of a closed producer,
 * may stand where one is missing. So nothing is believed before the writer, when it sent a record, knew the last place that
 * looked wrong.
 */
final class Continuity {
    /** Clocks may go back, and the numbers of producers do not. No producer of the writer has one that is further ahead. */
    private static final Duration MOST_AHEAD = Duration.ofDays(1);

    private long session;

    /** The offset behind the last place that looked wrong. */
    private long doubtful;

    /** The offset behind the last record. */
    private long end;

    /**
     * Nothing is known of what stands before an offset.
     *
     * @param offset where the partition is read from
     */
    Continuity(long offset) {
        this.doubtful = offset;
        this.end = offset;
    }

    /**
     * Takes note of the next record.
     *
     * @param latest no record that the writer wrote bears a later time
     * @return whether it proves that all before it is there
     */
    boolean isProof(LogRecord logged, Instant latest) {
        long before = end;
        end = logged.offset() + 1;
        Optional<ExpectedPosition> header = ExpectedPosition.of(logged.record().headers());
        if (header.isEmpty()) {
            doubtful = end;
            // Writers of older versions did not say, and are believed.
            return true;
        }
        ExpectedPosition said = header.get();
        if (!isOfNewest(said.session(), before, latest) || said.offset() != logged.offset()) {
            doubtful = end;
            return false;
        }
        return said.known() >= doubtful;
    }

    private boolean isOfNewest(long said, long before, Instant latest) {
        if (said == 0) {
            return true;
        }
        Instant begun = Instant.EPOCH.plus(Duration.of(said, TimeUnit.MICROSECONDS.toChronoUnit()));
        if (said < session || begun.minus(MOST_AHEAD).isAfter(latest)) {
            return false;
        }
        if (said > session) {
            // What an earlier producer sent may be where one of this one is missing.
            doubtful = before;
        }
        session = said;
        return true;
    }
}
