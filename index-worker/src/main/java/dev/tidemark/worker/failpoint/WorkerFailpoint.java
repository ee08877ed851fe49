package dev.tidemark.worker.failpoint;

/** The places at which a worker can be made to end. Their labels are what {@code tidemark.failpoint} takes. */
public enum WorkerFailpoint {
    /** A shard was opened on disk, and does not follow its partition yet. */
    ASSIGN_OPENED("assign.opened", false),
    /** It was told where to read on. */
    ASSIGN_STARTED("assign.started", false),
    /** The first word to the group, and any later one, is about to be sent. */
    NOTE_BEFORE("note.before", false),
    /** The group has taken it. */
    NOTE_TAKEN("note.taken", false),
    /** Records were taken from Kafka, and no shard has them. */
    POLL_TAKEN("poll.taken", true),
    /** A batch of changes is planned, nothing of it is in the shard. */
    APPLY_BEFORE_BATCH("apply.before-batch", true),
    /** It is in the shard, and nobody was told. */
    APPLY_WRITTEN("apply.written", true),
    /** A generation has its room, and the shard does not name it. */
    BUILD_ROOM("build.room", false),
    /** The shard names it. */
    BUILD_BEGUN("build.begun", false),
    /** A page was read again for a build, nothing of it is in the shard. */
    COPY_BEFORE_PAGE("copy.before-page", false),
    /** It is in the shard. */
    COPY_WRITTEN("copy.written", false),
    /** Every row is there, and being proven that they are right. */
    VERIFY_BEGUN("verify.begun", false),
    /** It is proven, which is not in the shard. */
    SWITCH_BEFORE("switch.before", false),
    /** The generation may answer in this shard. */
    SWITCH_DONE("switch.done", false),
    /** The shard forgets a generation, whose files are there. */
    DROP_FORGOTTEN("drop.forgotten", false),
    /** They are gone. */
    DROP_DONE("drop.done", false);

    private final String label;
    private final boolean often;

    WorkerFailpoint(String label, boolean often) {
        this.label = label;
        this.often = often;
    }

    public String label() {
        return label;
    }

    /** Whether a worker under load comes here many times a second. */
    public boolean isOften() {
        return often;
    }
}
