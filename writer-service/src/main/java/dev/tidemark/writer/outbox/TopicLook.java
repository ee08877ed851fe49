package dev.tidemark.writer.outbox;

import java.util.Optional;

/** What a look at the topic of one table found. */
sealed interface TopicLook {
    /**
     * The topic is there.
     *
     * @param objection why its settings do not do; empty when they do
     */
    record Found(TopicStatus status, Optional<String> objection) implements TopicLook {}

    /** There is no such topic. */
    record Absent() implements TopicLook {}

    /** The log did not answer, which may be different soon. */
    record Unknown(String reason) implements TopicLook {}

    /** The log answers, and does not let this writer use the topic. */
    record Forbidden(String reason) implements TopicLook {}
}
