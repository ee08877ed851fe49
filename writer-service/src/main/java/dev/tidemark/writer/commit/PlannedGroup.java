package dev.tidemark.writer.commit;

import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests that are committed as one batch, with their outcomes. For the committer. */
final class PlannedGroup {
    private static final Logger LOGGER = LoggerFactory.getLogger(PlannedGroup.class);

    /** Size of the changes from which on a batch takes no further request: a small patch can change a large row. */
    private static final long BATCH_BYTES = 8L << 20;

    private final WriteQueue queue;
    private final GroupPlanner planner;
    private final List<Planned> planned = new ArrayList<>();

    private record Planned(WriteQueue.Pending pending, List<CommitOutcome> outcomes) {}

    PlannedGroup(WriteQueue queue, GroupPlanner planner) {
        this.queue = queue;
        this.planner = planner;
    }

    /**
     * Plans requests while the batch has room, at least one. A request that cannot be planned is answered at once and
     * has no part in the batch.
     *
     * @return how many were taken
     */
    int plan(List<WriteQueue.Pending> requests) {
        int taken = 0;
        while (taken < requests.size() && planner.bytes() < BATCH_BYTES) {
            plan(requests.get(taken));
            taken++;
        }
        return taken;
    }

    private void plan(WriteQueue.Pending pending) {
        try {
            planned.add(new Planned(pending, planner.plan(pending.request())));
        } catch (RuntimeException e) {
            LOGGER.error("A request to table {} failed alone", pending.request().table(), e);
            queue.failed(
                    pending,
                    new CommitFailedException(
                            "the request failed before anything of it was applied: " + e.getMessage(), e));
        }
    }

    /** The batch is durable. */
    void done() {
        planned.forEach(one -> queue.done(one.pending(), one.outcomes()));
    }

    /** The batch could not be committed. */
    void failed(CommitFailedException reason) {
        planned.forEach(one -> queue.failed(one.pending(), reason));
    }
}
