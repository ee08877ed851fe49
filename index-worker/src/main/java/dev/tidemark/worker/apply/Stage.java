package dev.tidemark.worker.apply;

import java.util.Locale;

/** Where a change spends its time on the way from its commit to being found. Each begins where the one before ends. */
public enum Stage {
    /** From the commit time until it was on disk. */
    COMMITTER,
    /** In the outbox, until it was sent to Kafka. */
    OUTBOX,
    /** In Kafka and its clients, until the poll thread had it. */
    KAFKA,
    /** In the mailbox of its shard, until the apply thread took it. */
    QUEUE,
    /** Being applied, until it could be found. */
    APPLY;

    /** The name in metrics and answers. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
