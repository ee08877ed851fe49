package dev.tidemark.writer.recovery;

import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        Optional<CommitPosition> epoch = RollbackDetector.next(stored, seen, otherCopy);
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
}
