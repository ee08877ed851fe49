package dev.tidemark.writer.outbox;

import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;

/** The pure decision whether a topic can be used, and what it lacks. */
final class TopicCheck {
    private TopicCheck() {}

    /**
     * Returns why a topic must not be used; empty when it may be. A topic of this writer to which partitions were added
     * stays in use with the recorded ones.
     *
     * @param known what is remembered of the table's topic
     */
    static Optional<String> refusal(TableDefinition spec, TopicStatus status, Optional<TopicRecord> known) {
        boolean ours = known.isPresent() && known.get().id().equals(status.id());
        int found = status.endOffsets().size();
        if (found < spec.partitions() || (found > spec.partitions() && !ours)) {
            return Optional.of(
                    "it has " + found + " partitions, but table " + spec.name() + " has " + spec.partitions());
        }
        if (known.isEmpty() && !status.isEmpty()) {
            return Optional.of("it has records already, but this writer has never written to it; it may belong to"
                    + " another writer or another data directory");
        }
        return Optional.empty();
    }

    /**
     * Whether a usable topic is new, or has lost records, so that what it held has to be published again. Otherwise it
     * holds all that was acknowledged.
     */
    static boolean lacks(TopicStatus status, Optional<TopicRecord> known) {
        return known.isEmpty()
                || !known.get().id().equals(status.id())
                || !known.get().whole()
                || known.get().ends().entrySet().stream()
                        .anyMatch(noted -> status.endOffsets().get(noted.getKey()) < noted.getValue());
    }
}
