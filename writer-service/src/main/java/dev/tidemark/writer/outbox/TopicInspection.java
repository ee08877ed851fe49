package dev.tidemark.writer.outbox;

import java.util.Optional;

/** What a look at the topic of one table found. */
sealed interface TopicInspection {
    /**
     * The topic is there.
     *
     * @param objection why its settings do not do; empty when they do
     */
    record Found(TopicStatus status, Optional<String> objection) implements TopicInspection {}

    /** There is no such topic. */
    record Absent() implements TopicInspection {}

    /** The log did not answer, which may be different soon. */
    record Unknown(String reason) implements TopicInspection {}

    /** The log answers, and does not let this writer use the topic. */
    record Forbidden(String reason) implements TopicInspection {}
}
