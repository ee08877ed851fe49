package dev.tidemark.source.debezium;

import io.debezium.snapshot.mode.AlwaysSnapshotter;

/** Reads tables, and then goes on with the stream where the replication slot is, not where the tables were read. */
public final class AddingSnapshotter extends AlwaysSnapshotter {
    static final String NAME = "tidemark_adding";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean shouldStreamEventsStartingFromSnapshot() {
        return false;
    }
}
