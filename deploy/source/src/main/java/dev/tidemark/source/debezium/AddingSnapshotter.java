package dev.tidemark.source.debezium;

import java.util.Map;

import io.debezium.spi.snapshot.Snapshotter;

/** Reads tables, and then goes on with the stream where the replication slot is, not where the tables were read. */
public final class AddingSnapshotter implements Snapshotter {
    static final String NAME = "tidemark_adding";

    @Override
    public void configure(Map<String, ?> settings) {
        // It has none.
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean shouldSnapshotData(boolean offsetExists, boolean isUnderWay) {
        return true;
    }

    @Override
    public boolean shouldSnapshotSchema(boolean offsetExists, boolean isUnderWay) {
        return true;
    }

    @Override
    public boolean shouldStream() {
        return true;
    }

    @Override
    public boolean shouldStreamEventsStartingFromSnapshot() {
        return false;
    }

    @Override
    public boolean shouldSnapshotOnSchemaError() {
        return false;
    }

    @Override
    public boolean shouldSnapshotOnDataError() {
        return false;
    }
}
