package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/** Deletes to be forgotten, which cannot be read or removed now and then. */
record FallibleTombstones(Tombstones tombstones, PortFaults faults) implements Tombstones {
    @Override
    public List<Tombstone> due(Instant until, Optional<Tombstone> after, int limit) {
        return faults.read(() -> tombstones.due(until, after, limit));
    }

    @Override
    public boolean isSuperseded(Tombstone tombstone) {
        return faults.read(() -> tombstones.isSuperseded(tombstone));
    }

    @Override
    public void remove(List<Tombstone> done) {
        faults.write(() -> tombstones.remove(done));
    }
}
