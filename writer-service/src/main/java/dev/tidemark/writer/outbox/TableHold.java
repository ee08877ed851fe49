package dev.tidemark.writer.outbox;

/**
 * Why changes of one table are not published at the moment. They are published again from the fact table as soon as
 * they can be; other tables are not concerned.
 *
 * @param reason in words for an operator
 */
public record TableHold(Kind kind, String reason) {
    /** Kinds of reasons. */
    public enum Kind {
        /** The topic is away, or did not take something; it is looked at again shortly. */
        WAITING,
        /** The topic cannot be used until an operator corrects it; writes to the table are refused. */
        REFUSED,
        /** What the topic lacks is being published again. */
        REPUBLISHING
    }
}
