package dev.tidemark.worker.failpoint;

import dev.tidemark.runtime.Failpoints;

/** The failpoints of a worker. The setting {@code tidemark.failpoint} takes their labels. */
public enum WorkerFailpoint {
    /** A shard was opened on disk, and does not follow its partition yet. */
    ASSIGN_OPENED("assign.opened", false),
    /** The source was moved to the start position of the shard. */
    ASSIGN_STARTED("assign.started", false),
    /** A progress report to the group is about to be sent, the first one or a later one. */
    NOTE_BEFORE("note.before", false),
    /** The group has accepted the progress report. */
    NOTE_TAKEN("note.taken", false),
    /** Records were taken from Kafka, and no shard has them. */
    POLL_TAKEN("poll.taken", true),
    /** A batch of changes is planned, and nothing of it is in the shard. */
    APPLY_BEFORE_BATCH("apply.before-batch", true),
    /** The batch is in the shard, and no listener was notified. */
    APPLY_WRITTEN("apply.written", true),
    /** The store of a generation exists, and the checkpoint of the shard does not list the generation. */
    BUILD_ROOM("build.room", false),
    /** The checkpoint of the shard lists the generation. */
    BUILD_BEGUN("build.begun", false),
    /** A page was read again for a backfill, and nothing of it is in the shard. */
    COPY_BEFORE_PAGE("copy.before-page", false),
    /** The page is in the shard. */
    COPY_WRITTEN("copy.written", false),
    /** Every row is in the generation, and its verification has begun. */
    VERIFY_BEGUN("verify.begun", false),
    /** The generation is verified, and the shard has not stored that. */
    SWITCH_BEFORE("switch.before", false),
    /** The generation may answer in this shard. */
    SWITCH_DONE("switch.done", false),
    /** The checkpoint of the shard no longer lists a generation, whose files still exist. */
    DROP_FORGOTTEN("drop.forgotten", false),
    /** The files of the generation are removed. */
    DROP_DONE("drop.done", false);

    private final String label;
    private final boolean often;

    WorkerFailpoint(String label, boolean often) {
        this.label = label;
        this.often = often;
    }

    /** This process is at the failpoint, where a test may end it. */
    public void hit() {
        Failpoints.hit(label);
    }

    public String label() {
        return label;
    }

    /** Whether a worker under load reaches this failpoint many times a second. */
    public boolean isOften() {
        return often;
    }
}
