package dev.tidemark.writer.recovery;

import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.outbox.TopicLedger;

/** What is done before the first commit of a process: nothing, unless the fact tables have gone back in time. */
public final class EpochRecovery {
    private static final Logger LOGGER = LoggerFactory.getLogger(EpochRecovery.class);

    private EpochRecovery() {}

    /**
     * Begins an epoch where one is needed, and opens the question whether topics hold more. Commits come later than all
     * that was seen in any case.
     *
     * @param seen the last place in commit order that was seen from outside; empty when none was
     * @param otherCopy whether the tables are another copy than the one that was written last
     * @throws FactsGoneException when the tables are empty, and were not
     */
    public static void run(FactStore store, TopicLedger ledger, Optional<CommitPosition> seen, boolean otherCopy)
            throws FactsGoneException {
        CommitPosition stored = store.currentCommit();
        Optional<CommitPosition> epoch = next(stored, seen, otherCopy);
        if (ledger.unsettled().isEmpty()) {
            // The topics are asked too, as soon as they can be.
            ledger.unsettled(stored.version());
        }
        if (epoch.isPresent()) {
            LOGGER.error(
                    "The fact tables have gone back in time, or are another copy than before: version {} was committed,"
                            + " and the last commit that they have is version {}. A new epoch begins, and what was lost is"
                            + " undone in the indexes",
                    seen.orElse(stored).version(),
                    stored.version());
            store.beginEpoch(epoch.get());
        }
        if (seen.isPresent() && seen.get().time().isAfter(stored.time())) {
            store.reserveTimestamps(seen.get().time());
        }
    }

    /**
     * Where the next epoch begins; empty when nothing is lost. Versions of the time that is lost may be known
     * elsewhere, so what is committed from then on needs versions above them.
     *
     * @param stored the last commit that the fact tables know of
     * @param seen the last commit that was seen from outside; empty when none was
     * @param otherCopy whether the fact tables are another copy than the one that was written last, which may lack
     *     commits that only that one had
     * @throws FactsGoneException when the fact tables know of none at all, but some were seen
     */
    static Optional<CommitPosition> next(CommitPosition stored, Optional<CommitPosition> seen, boolean otherCopy)
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
