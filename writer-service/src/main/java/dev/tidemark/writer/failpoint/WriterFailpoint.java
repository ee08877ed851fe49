package dev.tidemark.writer.failpoint;

/** The places at which a writer can be made to end. Their labels are what {@code tidemark.failpoint} takes. */
public enum WriterFailpoint {
    /** A group is planned, nothing of it is in the store. */
    COMMIT_BEFORE_WRITE("commit.before-write", true),
    /** A group is durable and not yet counted; its clients have no answer. */
    COMMIT_WRITTEN("commit.written", true),
    /** A group is counted and the relay may see it, its clients have no answer. */
    COMMIT_COUNTED("commit.counted", true),
    /** The clients have their answers. */
    COMMIT_ANSWERED("commit.answered", true),
    /** Changes were read from the outbox. */
    RELAY_READ("relay.read", true),
    /** Messages are handed to the producer, perhaps not sent. */
    RELAY_SENT("relay.sent", true),
    /** The log has acknowledged changes, which is not remembered. */
    RELAY_ACKNOWLEDGED("relay.acknowledged", true),
    /** It is remembered. */
    RELAY_REMEMBERED("relay.remembered", true),
    /** Published changes are about to leave the outbox. */
    TRIM_BEFORE("trim.before", false),
    /** They have left it. */
    TRIM_DONE("trim.done", false),
    /** Rows are forgotten by the log, which is not remembered. */
    FORGET_SENT("forget.sent", false),
    /** It is remembered. */
    FORGET_DONE("forget.done", false),
    /** New definitions are durable, and not published. */
    DEFINE_SAVED("define.saved", false),
    /** They are published. */
    DEFINE_PUBLISHED("define.published", false);

    private final String label;
    private final boolean often;

    WriterFailpoint(String label, boolean often) {
        this.label = label;
        this.often = often;
    }

    public String label() {
        return label;
    }

    /** Whether a writer under load comes here many times a second. */
    public boolean isOften() {
        return often;
    }
}
