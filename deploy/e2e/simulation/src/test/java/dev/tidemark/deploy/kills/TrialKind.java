package dev.tidemark.deploy.kills;

import java.nio.file.Path;

/** The stores that are tried. */
enum TrialKind {
    /** A shard of the worker, whose batches survive the process. */
    SHARD {
        @Override
        Trial open(Path directory, Script script) {
            return new ShardTrial(directory, script);
        }

        @Override
        long newestSynced(long acknowledged) {
            return ShardRows.newestSynced(acknowledged);
        }
    },
    /** The fact tables of the writer, whose batches are synced. */
    FACTS {
        @Override
        Trial open(Path directory, Script script) {
            return new FactTrial(directory, script);
        }

        @Override
        long newestSynced(long acknowledged) {
            return acknowledged;
        }
    };

    /** Opens what the directory has, making it where there is nothing. */
    abstract Trial open(Path directory, Script script);

    /** The newest batch up to that one which survives a power cut. */
    abstract long newestSynced(long acknowledged);
}
