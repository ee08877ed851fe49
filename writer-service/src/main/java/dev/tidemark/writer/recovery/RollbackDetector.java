package dev.tidemark.writer.recovery;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;

/**
 * The pure decision whether fact tables have gone back in time. Versions of the time that is lost may be known
 * elsewhere, so what is committed from then on needs versions above them: those of another epoch.
 */
public final class RollbackDetector {
    private RollbackDetector() {}

    /**
     * Where the next epoch begins; empty when nothing is lost.
     *
     * @param stored the last commit that the fact tables know of
     * @param seen the last commit that was seen from outside; empty when none was
     * @param otherCopy whether the fact tables are another copy than the one that was written last, which may lack
     *     commits that only that one had
     * @throws FactsGoneException when the fact tables know of none at all, but some were seen
     */
    public static Optional<CommitPosition> next(CommitPosition stored, Optional<CommitPosition> seen, boolean otherCopy)
            throws FactsGoneException {
        boolean lacks = seen.isPresent() && seen.get().version().isAfter(stored.version());
        if (lacks && stored.version().sequence() == 0) {
            throw new FactsGoneException(seen.get().version());
        }
        if (!lacks && !otherCopy) {
            return Optional.empty();
        }
        CommitPosition last = seen.orElse(stored);
        long epoch = Math.max(last.version().epoch(), stored.version().epoch()) + 1;
        RowVersion first = new RowVersion(epoch, stored.version().sequence());
        return Optional.of(new CommitPosition(first, later(stored.time(), last.time())));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
