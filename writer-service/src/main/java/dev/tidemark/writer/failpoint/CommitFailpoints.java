package dev.tidemark.writer.failpoint;

import java.time.Duration;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;

/** Places around the answering of clients. */
public final class CommitFailpoints {
    private CommitFailpoints() {}

    /** The committer calls it between the commit and the answers. */
    public record Counted(Failpoints points) implements Committer.Listener {
        @Override
        public void committed(FactBatch batch, Duration took) {
            // The place after writing is the store's.
        }

        @Override
        public void frontierMoved() {
            points.reach(WriterFailpoint.COMMIT_COUNTED.label());
        }
    }

    /** The committer, with a place after each group. */
    public record Answered(Committer committer, Failpoints points) implements Agent {
        @Override
        public String roleName() {
            return committer.roleName();
        }

        @Override
        public int doWork() throws InterruptedException {
            int done = committer.doWork();
            if (done > 0) {
                points.reach(WriterFailpoint.COMMIT_ANSWERED.label());
            }
            return done;
        }

        @Override
        public void onClose() {
            committer.onClose();
        }
    }
}
