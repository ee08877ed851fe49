package dev.tidemark.writer.failpoint;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.runtime.Failpoints;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/** Deletes that are to be forgotten, with a place before and one after that is remembered. */
public record FailpointTombstones(Tombstones tombstones, Failpoints points) implements Tombstones {
    @Override
    public List<Tombstone> due(Instant until, Set<String> except, int limit) {
        return tombstones.due(until, except, limit);
    }

    @Override
    public List<Tombstone> of(String table, Optional<Tombstone> after, int limit) {
        return tombstones.of(table, after, limit);
    }

    @Override
    public boolean isSuperseded(Tombstone tombstone) {
        return tombstones.isSuperseded(tombstone);
    }

    @Override
    public void remove(List<Tombstone> done) {
        points.reach(WriterFailpoint.FORGET_SENT.label());
        tombstones.remove(done);
        points.reach(WriterFailpoint.FORGET_DONE.label());
    }
}
