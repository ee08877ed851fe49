package dev.tidemark.writer.outbox;

import java.util.Map;
import java.util.Optional;

/** The pure decision whether a topic can be used, and what it lacks. */
final class TopicCheck {
    /** What a usable topic needs before the outbox goes on. */
    enum Verdict {
        /** Nothing: it holds all that was acknowledged. */
        COMPLETE,
        /** It is new, or has lost records: what it held has to be published again. */
        LACKING
    }

    private TopicCheck() {}

    /**
     * Returns why a topic must not be used; empty when it may be. A topic of this writer to which partitions were added
     * stays in use with the recorded ones.
     *
     * @param known what is remembered of the table's topic
     */
    static Optional<String> refusal(TopicSpec spec, TopicStatus status, Optional<TopicRecord> known) {
        boolean ours = known.isPresent() && known.get().id().equals(status.id());
        int found = status.endOffsets().size();
        if (found < spec.partitions() || (found > spec.partitions() && !ours)) {
            return Optional.of(
                    "it has " + found + " partitions, but table " + spec.table() + " has " + spec.partitions());
        }
        if (known.isEmpty() && !status.isEmpty()) {
            return Optional.of("it has records already, but this writer has never written to it; it may belong to"
                    + " another writer or another data directory");
        }
        return Optional.empty();
    }

    static Verdict verdict(TopicStatus status, Optional<TopicRecord> known) {
        if (known.isEmpty()
                || !known.get().id().equals(status.id())
                || !known.get().whole()) {
            return Verdict.LACKING;
        }
        for (Map.Entry<Integer, Long> acknowledged : known.get().ends().entrySet()) {
            if (status.endOffsets().get(acknowledged.getKey()) < acknowledged.getValue()) {
                return Verdict.LACKING;
            }
        }
        return Verdict.COMPLETE;
    }
}
