package dev.tidemark.writer.testkit;

import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstones;
import dev.tidemark.writer.outbox.TopicLedger;

/** The ports to one disk. */
public record WriterStores(
        FactStore facts, Outbox outbox, Tombstones tombstones, TopicLedger ledger, DefinitionStore definitions) {
    public static WriterStores on(InMemoryDisk disk) {
        return new WriterStores(
                new InMemoryFactStore(disk),
                new InMemoryOutbox(disk),
                new InMemoryTombstones(disk),
                new InMemoryTopicLedger(disk),
                new InMemoryDefinitionStore(disk));
    }
}
