package dev.tidemark.writer.failpoint;

import dev.tidemark.runtime.Failpoints;

/** The failpoints of a writer. The setting {@code tidemark.failpoint} takes their labels. */
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
    /** Messages were passed to the producer, and may not be sent. */
    RELAY_SENT("relay.sent", true),
    /** The log has acknowledged changes, and the outbox has not stored that. */
    RELAY_ACKNOWLEDGED("relay.acknowledged", true),
    /** The outbox has stored that. */
    RELAY_REMEMBERED("relay.remembered", true),
    /** Published changes are about to leave the outbox. */
    TRIM_BEFORE("trim.before", false),
    /** They have left it. */
    TRIM_DONE("trim.done", false),
    /** The log has forgotten rows, and the store has not recorded that. */
    FORGET_SENT("forget.sent", false),
    /** The store has recorded that. */
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

    /** This process is at the failpoint, where a test may end it. */
    public void hit() {
        Failpoints.hit(label);
    }

    public String label() {
        return label;
    }

    /** Whether a writer under load reaches this failpoint many times a second. */
    public boolean isOften() {
        return often;
    }
}
